// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A pipe that no process inherits: a film is at its end when its one writer is gone.
struct FilmPipe {
    /// Whoever is given an end closes it.
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Safe: the call writes two numbers into our own array.
        let status = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        try #require(status == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (ends[0], ends[1])
    }

    /// Throws away what is in the pipe, and closes the reader's end.
    ///
    /// - Returns: whether the writer had closed his.
    func drain() -> Bool {
        defer { close(reader) }
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            // Safe: at most the size of our own array.
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
            if count <= 0 { return count == 0 }
        }
    }
}
