// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// An open file of the audit log. It is never a link, and opening never waits.
final class OpenFile: Sendable {
    let path: String
    let descriptor: Int32

    /// - Parameter mode: of a new file, regardless of the umask.
    init(_ path: String, _ flags: Int32, mode: mode_t) throws(AuditFault) {
        self.path = path
        // Safe: the path is lent for the call.
        descriptor = unsafe Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .unwritable(path, errno) }
        if flags & O_EXCL != 0 { _ = fchmod(descriptor, mode) }
    }

    deinit { close(descriptor) }
}

/// The end of a file: the last readable line, and the bytes after it.
struct AuditTail {
    /// Much longer than a line; a power failure leaves a part of one.
    static let window = 64 * 1024
    typealias Last = (number: UInt64, chain: ChainHash)

    /// The length of the file, in bytes.
    let length: Int
    /// Nil when no line of an audit log is within the window.
    let last: Last?
    /// The bytes after that line.
    let rest: [UInt8]
    /// Whether the window contains the whole file.
    let isWhole: Bool
    /// Whether the file lacks the end of its last line.
    let isCut: Bool

    init(of path: String) throws(AuditFault) {
        do throws(FileFault) {
            let file = try OpenedFile.open(path, isPlain: true)
            lseek(file.descriptor, max(file.size - AuditTail.window, 0), SEEK_SET)
            self.init(try file.read(upTo: AuditTail.window), length: file.size)
        } catch { throw .file(error) }
    }

    /// - Parameter bytes: the last ones of the file, at most ``window``.
    init(_ bytes: [UInt8], length: Int) {
        self.length = length
        isWhole = bytes.count == length
        isCut = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
        var end = bytes.endIndex
        // The last line may lack its end only.
        while end >= bytes.startIndex {
            let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.startIndex
            if let (record, chain) = AuditRecord.parse(bytes[start..<end]) {
                last = (record.number, chain)
                rest = Array(bytes[end...].dropFirst())
                return
            }
            end = start - 1
        }
        last = nil
        rest = bytes
    }
}
