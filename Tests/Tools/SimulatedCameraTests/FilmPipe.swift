// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A pipe that no process inherits, so that a film ends with its only writer.
struct FilmPipe {
    /// The caller closes each end that it takes.
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Safe: the call writes two numbers into a local array.
        let status = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        try #require(status == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (ends[0], ends[1])
    }

    /// Discards the pipe's content, and closes the reader's end.
    ///
    /// - Returns: whether the writer had closed its end.
    func drain() -> Bool {
        defer { close(reader) }
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            // Safe: at most the size of the local array.
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
            if count <= 0 { return count == 0 }
        }
    }
}
