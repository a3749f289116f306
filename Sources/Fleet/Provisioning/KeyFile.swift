// SPDX-License-Identifier: Apache-2.0

import Encoding
public import LinuxSystem
package import LoginValues

/// A private key in a file of its own, which no other user may read.
package enum KeyFile {
    package static func read(_ path: String) throws(ProvisioningError) -> SecretBytes {
        let key: SecretBytes
        do throws(FileFault) { key = SecretBytes(try OwnedFile.read(path, .secret, upTo: CurveKey.length)) } catch {
            if case .tooLong = error.cause { throw .notAKey(path: path) }
            throw .file(error)
        }
        guard key.count == CurveKey.length else { throw .notAKey(path: path) }
        return key
    }

    /// Reads the key, or makes a new one if there is no file, in one step, mode 0600.
    package static func readOrMake(
        _ path: String, makesDirectory: Bool = false
    ) throws(ProvisioningError) -> (key: SecretBytes, isNew: Bool) {
        if let key = try find(path) { return (key, false) }
        guard let new = CurveKey.random() else { throw .cryptography }
        let isNew: Bool
        do throws(FileFault) {
            if makesDirectory {
                try OwnedFile.makeDirectory(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
            }
            isNew = try new.withBytes { key throws(FileFault) in try OwnedFile.create(path, with: key) }
        } catch { throw .file(error) }
        // Another process may have been faster.
        return (isNew ? new : try read(path), isNew)
    }

    /// - Returns: nil when there is no such file.
    private static func find(_ path: String) throws(ProvisioningError) -> SecretBytes? {
        do throws(ProvisioningError) { return try read(path) } catch {
            guard case .file(let fault) = error, fault.cause == .missing else { throw error }
            return nil
        }
    }
}

/// The reason why a key cannot be read or made.
public enum ProvisioningError: Error, Equatable, Sendable, CustomStringConvertible {
    case file(FileFault)
    case notAKey(path: String)
    /// OpenSSL failed: no memory, no random numbers.
    case cryptography

    public var description: String {
        switch self {
        case .file(let fault): "the key \(fault)"
        case .notAKey(let path): "the key \(path) must be a file of exactly \(CurveKey.length) bytes"
        case .cryptography: "the system's cryptography failed"
        }
    }

    /// The operator's remedy.
    public var hint: String {
        switch self {
        case .file(let fault): fault.hint
        case .notAKey: "restore the file"
        case .cryptography: "try again; see whether the machine has memory left"
        }
    }
}
