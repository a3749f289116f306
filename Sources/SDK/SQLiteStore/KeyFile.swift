// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Glibc
import LinuxSystem
import LoginValues

/// The sealing key on the disk: 32 raw bytes, readable by its owner only.
struct KeyFile {
    static let length = 32

    let path: String

    /// - Returns: nil when there is no such file.
    func load() throws(StoreOpeningError) -> SecretBytes? {
        let file: OpenedFile
        do throws(FileFault) { file = try OwnedFile.open(path, .secret, followsLink: false) } catch {
            if error.cause == .missing { return nil }
            throw StoreOpeningError(error, "the key file")
        }
        guard file.size == KeyFile.length else {
            throw StoreOpeningError(
                .wrongKey, "the key file \(path) must be a file of exactly \(KeyFile.length) bytes: restore it")
        }
        do throws(FileFault) {
            return try SecretBytes(count: KeyFile.length) { bytes throws(FileFault) in try file.read(into: &bytes) }
        } catch { throw StoreOpeningError(error, "the key file") }
    }

    /// Makes a new key and the file, at once and for good: after a power cut the file is whole or not there.
    func create() throws(StoreOpeningError) -> SecretBytes {
        let key = try SecretBytes(count: KeyFile.length) { bytes throws(StoreOpeningError) in
            let code = unsafe bytes.withUnsafeMutableBytes { unsafe RAND_priv_bytes($0.baseAddress, Int32($0.count)) }
            guard code == 1 else { throw StoreOpeningError(.unavailable, "no random numbers for a key") }
        }
        try key.withBytes { bytes throws(StoreOpeningError) in
            do throws(FileFault) {
                try OwnedFile.replace(
                    path, with: bytes, mode: 0o600, unfinished: PrivateDirectory.name(of: unfinished.path))
            } catch { throw StoreOpeningError(error, "the key file") }
        }
        return key
    }

    /// The temporary file, renamed to this one when it is whole.
    var unfinished: KeyFile { KeyFile(path: path + ".new") }

    /// The key that takes this one's place when the database is sealed with it.
    var next: KeyFile { KeyFile(path: path + ".next") }

    func adoptNext(in directory: borrowing PrivateDirectory) throws(StoreOpeningError) {
        guard unsafe rename(next.path, path) == 0 else {
            throw StoreOpeningError(.unavailable, "the key file \(path) cannot be made: \(systemErrorText())")
        }
        try directory.sync()
    }

    func remove(in directory: borrowing PrivateDirectory) throws(StoreOpeningError) {
        if unsafe access(path, F_OK) != 0, errno == ENOENT { return }
        guard unsafe unlink(path) == 0 else {
            throw StoreOpeningError(.unavailable, "the key file \(path) cannot be removed: \(systemErrorText())")
        }
        try directory.sync()
    }
}
