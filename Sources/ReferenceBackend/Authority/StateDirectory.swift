// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder that everything lasting lives in. Folders are 0700 and files 0600, whatever the umask says.
struct StateDirectory: Sendable {
    let path: String

    /// Makes the folder where it is missing.
    /// - Throws: `BackendError.file`.
    init(path: String) throws(BackendError) {
        self.path = path
        try Self.makeFolder(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The path of folder `name` inside, made where it is missing.
    func folder(_ name: String) throws(BackendError) -> String {
        let folder = path + "/" + name
        try Self.makeFolder(folder)
        return folder
    }

    /// The content of the file at `path`; nil when there is none.
    static func read(_ path: String) throws(BackendError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw .file(path: path, reason: "cannot be read")
        }
    }

    /// Puts a new file in place with all its content or not at all. When another process was faster its file stays, so
    /// read what is there afterwards.
    static func create(_ path: String, content: [UInt8]) throws(BackendError) {
        // `link` fails where `rename` would overwrite.
        try put(path, content) { unsafe link($0, $1) == 0 || errno == EEXIST }
    }

    /// Puts a file in the place of another one, with all its content or not at all.
    static func replace(_ path: String, content: [UInt8]) throws(BackendError) {
        try put(path, content) { unsafe rename($0, $1) == 0 }
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
        // The content has to be on the disk before the name is, or a power cut leaves a name without content.
        let synchronised = fsync(descriptor) == 0
        close(descriptor)
        guard synchronised else { throw .file(path: path, reason: lastReason()) }
        guard settle(temporary, path) else { throw .file(path: path, reason: lastReason()) }
        synchroniseFolder(of: path)
    }

    private static func makeFolder(_ path: String) throws(BackendError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .file(path: path, reason: "the folder cannot be made")
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

    private static func lastReason() -> String { unsafe String(cString: strerror(errno)) }
}
