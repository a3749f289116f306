// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// Standard output and standard error, unbuffered. A failed write returns false and never ends the process, unlike
/// that of `FileHandle`.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes everything, and waits for a slow reader.
    ///
    /// - Returns: false when no process reads any more, or the disk is full: the rest is lost.
    @discardableResult
    public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        // Safe: the bytes are lent for the call.
        unsafe bytes.withUnsafeBytes { unsafe write($0) }
    }

    /// - Parameter bytes: read during the call and not kept.
    @discardableResult
    @unsafe public func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe StandardStream.write(bytes, to: rawValue)
    }

    /// The same for any descriptor.
    @unsafe static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            // Safe: the rest of the lent bytes.
            let count = unsafe Glibc.write(
                descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                var end = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                // Safe: one structure of our own.
                _ = unsafe poll(&end, 1, -1)
                continue
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// Empties the buffer of `print`.
    ///
    /// - Returns: false when printed text could not be written.
    public static func flushPrinted() -> Bool { cprocess_flush_output() == 0 }

    /// Whether the service manager connected this stream to its journal (systemd.exec, `JOURNAL_STREAM`). Lines may
    /// then begin with their priority (sd-daemon(3)).
    ///
    /// - Parameter environment: the process's. A shell may have redirected the stream since, so device and inode are
    ///   compared.
    public func isJournal(in environment: [String: String]) -> Bool {
        let parts = (environment["JOURNAL_STREAM"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return false }
        var status = stat()
        // Safe: the call writes our own structure.
        return unsafe fstat(rawValue, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }
}
