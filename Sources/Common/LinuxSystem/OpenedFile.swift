// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file open for reading. Opening never waits: a named pipe without a writer is refused.
public final class OpenedFile: Sendable {
    public let path: String
    /// Open during the value's lifetime.
    public let descriptor: Int32
    let status: stat

    /// - Parameter descriptor: the value closes it.
    init(owning descriptor: Int32, path: String) throws(FileFault) {
        var status = stat()
        // Safe: the call writes to the one structure that it is lent.
        guard unsafe fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw FileFault(.refused(code), path: path)
        }
        self.path = path
        self.descriptor = descriptor
        self.status = status
    }

    deinit { close(descriptor) }

    /// Its permissions (chmod(2)).
    public var mode: UInt16 { UInt16(truncatingIfNeeded: status.st_mode & 0o7777) }

    /// Its length when it was opened, in bytes.
    public var size: Int { Int(status.st_size) }

    /// Opens a file that any user may change: data for a command, not settings that it obeys.
    ///
    /// - Parameter isPlain: whether it must be a file itself, no link to one and no device.
    /// - Throws: ``FileFault``, also for anything but a file or a device such as `/dev/null`.
    public static func open(_ path: String, isPlain: Bool = false) throws(FileFault) -> OpenedFile {
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(
            path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (isPlain ? O_NOFOLLOW : 0))
        guard number >= 0 else {
            let code = errno
            // This finds the dangling link, if there is one.
            if code == ENOENT { _ = try ResolvedPath(path, nil) }
            throw FileFault(code == ENOENT ? .missing : .refused(code), path: path)
        }
        let file = try OpenedFile(owning: number, path: path)
        let kind = FileKind(file.status)
        guard kind == .file || kind == .device && !isPlain else {
            throw FileFault(.wrongKind(kind, expected: .file), path: path)
        }
        return file
    }

    /// The content of a file that any user may change.
    ///
    /// - Parameter limit: in bytes; a longer file is refused.
    public static func read(_ path: String, upTo limit: Int) throws(FileFault) -> [UInt8] {
        try open(path).read(upTo: limit)
    }

    /// The content after the last read.
    ///
    /// - Parameter limit: in bytes; a longer file is refused.
    public func read(upTo limit: Int) throws(FileFault) -> [UInt8] {
        // Read in one piece if the length is known: a growing array would leave copies of a secret behind.
        let expected = size > 0 ? size : 4096
        var bytes = [UInt8](repeating: 0, count: min(expected, limit) + 1)
        var done = 0
        while done <= limit {
            if done == bytes.count { bytes += [UInt8](repeating: 0, count: min(done, limit + 1 - done)) }
            var span = bytes.mutableSpan
            let count = try readOnce(into: &span, from: done)
            guard count > 0 else {
                bytes.removeLast(bytes.count - done)
                return bytes
            }
            done += count
        }
        throw FileFault(.tooLong(limit: limit), path: path)
    }

    /// Fills the bytes with the content after the last read: a secret has no copy elsewhere then.
    ///
    /// - Throws: ``FileFault``, also for a file that ends before.
    public func read(into bytes: inout MutableSpan<UInt8>) throws(FileFault) {
        var done = 0
        while done < bytes.count {
            let count = try readOnce(into: &bytes, from: done)
            guard count > 0 else { throw FileFault(.refused(EIO), path: path) }
            done += count
        }
    }

    /// - Parameter start: the index of the first byte to fill.
    /// - Returns: the number of bytes; 0 at the end of the file.
    private func readOnce(into bytes: inout MutableSpan<UInt8>, from start: Int) throws(FileFault) -> Int {
        while true {
            // Safe: the rest of the bytes, which are lent for the call.
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileFault(.refused(errno), path: path) }
        }
    }
}
