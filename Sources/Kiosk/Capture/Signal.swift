// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A flag that one thread raises and another can wait for together with its input: a pipe that holds a byte or none.
final class Signal: Sendable {
    private let readEnd: Descriptor
    private let writeEnd: Descriptor

    init() {
        var ends: [Int32] = [-1, -1]
        // Safe: the call writes two numbers.
        let status = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        precondition(status == 0, "the system refuses another descriptor")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // Neither raising a raised flag nor lowering a lowered one waits.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = Descriptor(owning: ends[0])
        writeEnd = Descriptor(owning: ends[1])
    }

    /// The descriptor that can be read while the flag is up.
    var number: Int32 { readEnd.number }

    func raise() {
        var byte: UInt8 = 1
        // Safe: one byte of our own. A full pipe is a raised flag.
        _ = unsafe write(writeEnd.number, &byte, 1)
    }

    func lower() {
        var bytes: (UInt64, UInt64) = (0, 0)
        // Safe: at most the size of our own variable.
        while unsafe read(readEnd.number, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }

    /// - Returns: whether it was raised within the limit.
    func wait(within limit: Duration) -> Bool {
        Poll.isReadable(number, within: limit)
    }
}
