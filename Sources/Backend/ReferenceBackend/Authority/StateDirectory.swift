// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// The folder with all lasting state. Folders are 0700 and files 0600, whatever the umask is.
struct StateDirectory: Sendable {
    /// More than any file of a state directory except the database, and more than a chain of certificates.
    private static let maximumLength = 1 << 20

    let path: String

    /// Creates the folder if it is missing.
    /// - Throws: `BackendError.file`, `.exposedFile` when other users can change its content.
    init(path: String) throws(BackendError) {
        self.path = path
        try Self.makeFolder(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The path of folder `name` inside, which is created if missing.
    func folder(_ name: String) throws(BackendError) -> String {
        let folder = path + "/" + name
        try Self.makeFolder(folder)
        return folder
    }

    /// The content of the file at `path`; nil when there is none.
    /// - Parameter need: the access that other users may have.
    static func read(_ path: String, _ need: OwnedFile.Need = .secret) throws(BackendError) -> [UInt8]? {
        do throws(FileFault) { return try OwnedFile.read(path, need, upTo: maximumLength) } catch {
            if error.cause == .missing { return nil }
            throw BackendError(error)
        }
    }

    /// As `read`, for a file that must exist.
    static func content(of path: String, _ need: OwnedFile.Need) throws(BackendError) -> [UInt8] {
        guard let content = try read(path, need) else { throw .file(path: path, reason: "does not exist") }
        return content
    }

    /// The password or passphrase in the first line of a file.
    static func firstLine(of path: String) throws(BackendError) -> SecretBytes {
        var content = try content(of: path, .secret)
        defer { wipe(&content) }
        let line = Array(content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard !line.isEmpty else { throw .file(path: path, reason: "its first line is empty") }
        return SecretBytes(line)
    }

    /// Whether there is a file at `path` that no other user can access.
    static func has(_ path: String) throws(BackendError) -> Bool {
        do throws(FileFault) { try OwnedFile.judge(path, .secret) } catch {
            if error.cause == .missing { return false }
            throw BackendError(error)
        }
        return true
    }

    /// Creates a file with all its content or not at all. If another process was faster its file stays, so read the
    /// file afterwards.
    static func create(_ path: String, content: [UInt8]) throws(BackendError) {
        // `link` fails where `rename` would overwrite.
        try put(path, content) { unsafe link($0, $1) == 0 || errno == EEXIST }
    }

    /// Replaces a file with all the new content or not at all.
    static func replace(_ path: String, content: [UInt8]) throws(BackendError) {
        try put(path, content) { unsafe rename($0, $1) == 0 }
    }

    /// Deletes a file, if there is one.
    /// - Throws: `BackendError.file`.
    static func remove(_ path: String) throws(BackendError) {
        // The path is read up to its terminating zero.
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .file(path: path, reason: lastReason()) }
        synchroniseFolder(of: path)
    }

    /// - Parameter settle: gives the finished file its name.
    private static func put(
        _ path: String, _ content: [UInt8], settle: (_ temporary: String, _ path: String) -> Bool
    ) throws(BackendError) {
        let temporary = path + ".new-" + Hexadecimal.text(try RandomBytes.make(8))
        // System calls read a path up to its terminating zero, which Swift appends for the call.
        defer { _ = unsafe unlink(temporary) }
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, reason: lastReason()) }
        var written = 0
        while written < content.count {
            let count = unsafe content.withUnsafeBytes { bytes in
                // The slice ends where the array does.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                return unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 else {
                let reason = lastReason()
                close(descriptor)
                throw .file(path: path, reason: reason)
            }
            written += count
        }
        // Without this order a power cut could leave a name without content.
        let synchronised = fsync(descriptor) == 0
        close(descriptor)
        guard synchronised else { throw .file(path: path, reason: lastReason()) }
        guard settle(temporary, path) else { throw .file(path: path, reason: lastReason()) }
        synchroniseFolder(of: path)
    }

    private static func makeFolder(_ path: String) throws(BackendError) {
        do throws(FileFault) {
            try OwnedFile.makeDirectory(path)
            try OwnedFile.judge(path, .unaltered, .directory)
        } catch {
            throw BackendError(error)
        }
    }

    private static func synchroniseFolder(of path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        // The path is read up to its terminating zero.
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func lastReason() -> String { systemErrorText() }
}

extension BackendError {
    init(_ fault: FileFault) {
        self =
            fault.isExposure
            ? .exposedFile(path: fault.path, problem: fault.problem, hint: fault.hint)
            : .file(path: fault.path, reason: fault.problem)
    }
}
