// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import LinuxSystem

/// Reads picture files, up to a limit.
enum CappedFile {
    /// The largest file that is read, in bytes.
    static let maximumSize = 64 << 20

    static func read(_ path: String) throws(FrameSourceError) -> [UInt8] {
        let file = try open(path)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // Safe: the count is the buffer's own.
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(file.number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw FrameSourceError(
                    .unreadable, at: path, problem: "cannot be read (\(systemErrorText()))",
                    remedy: "give a readable picture file")
            }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= maximumSize else {
                throw FrameSourceError(
                    .tooLarge, at: path, problem: "is larger than \(maximumSize >> 20) MiB",
                    remedy: "give a smaller file")
            }
            bytes += chunk[..<count]
        }
    }

    /// Opens for reading, without waiting for a writer where the path is a named pipe.
    static func open(_ path: String) throws(FrameSourceError) -> Descriptor {
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            let code = errno
            throw FrameSourceError(
                code == ENOENT || code == ENOTDIR ? .notFound : .unreadable, at: path,
                problem: "cannot be opened (\(systemErrorText(code)))",
                remedy: code == ENOENT ? "check the path" : "check who may read it")
        }
        return Descriptor(owning: number)
    }
}
