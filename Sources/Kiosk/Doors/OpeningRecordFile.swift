// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Logging
import Synchronization
import SystemPackage

/// The file with the record of all openings: one JSON object a line, appended, readable by its owner only.
///
/// A line is written in one piece, and is on the disk before the next one is written. A line that a power failure cut
/// stays, and the next one begins after it. A full file is renamed with `.1`, replacing an older one, and a new file
/// is begun.
public final class OpeningRecordFile: Sendable {
    /// Some 30 000 openings.
    static let maximumLength: Int64 = 8 * 1024 * 1024

    private let path: FilePath
    private let maximumLength: Int64
    private let file: Mutex<FileDescriptor>
    /// Writing may wait for a slow disk on this queue, not on a thread that other tasks need.
    private let queue = DispatchQueue(label: "door record")

    /// Opens the file, or makes it.
    ///
    /// - Throws: the system's error when neither is possible, or when it is no file.
    public convenience init(at path: String) throws {
        try self.init(at: FilePath(path), maximumLength: OpeningRecordFile.maximumLength)
    }

    init(at path: FilePath, maximumLength: Int64) throws {
        self.path = path
        self.maximumLength = maximumLength
        file = Mutex(try OpeningRecordFile.open(path))
    }

    deinit { file.withLock { try? $0.close() } }

    func append(_ record: OpeningRecord) async throws {
        let line = try RecordEncoder.json(record) + [UInt8(ascii: "\n")]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try self.write(line) }) }
        }
    }

    private func write(_ line: [UInt8]) throws {
        try file.withLock { file in
            if try file.seek(offset: 0, from: .end) + Int64(line.count) > maximumLength {
                guard unsafe rename(path.string, path.string + ".1") == 0 else { throw Errno(rawValue: errno) }
                let fresh = try OpeningRecordFile.open(path)
                try? file.close()
                file = fresh
            }
            var text = line
            if try OpeningRecordFile.isCut(file) { text.insert(UInt8(ascii: "\n"), at: 0) }
            try file.writeAll(text)
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    private static func open(_ path: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(
            path, .readWrite, options: [.append, .create, .closeOnExec, .noFollow], permissions: [.ownerReadWrite])
    }

    /// Whether the last line has no end.
    private static func isCut(_ file: FileDescriptor) throws -> Bool {
        let length = try file.seek(offset: 0, from: .end)
        guard length > 0 else { return false }
        var last: UInt8 = 0
        // Safe: one byte is read into one byte.
        let count = try unsafe withUnsafeMutableBytes(of: &last) { buffer in
            try unsafe file.read(fromAbsoluteOffset: length - 1, into: buffer)
        }
        return count == 1 && last != UInt8(ascii: "\n")
    }
}
