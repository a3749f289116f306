// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Wakes a thread that waits for input: a pipe that holds a byte once it was told to stop.
final class StopPipe: Sendable {
    enum Event { case input, nothing, stopped }

    /// Can be read once it was told to stop.
    var descriptor: Int32 { readEnd }

    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws(KeypadError) {
        var ends: [Int32] = [-1, -1]
        // Safe: the call writes two numbers into our own array.
        let status = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        guard status == 0 else { throw .resources(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func raise() {
        var byte: UInt8 = 1
        // Safe: one byte of our own; an empty pipe takes it at once.
        _ = unsafe write(writeEnd, &byte, 1)
    }

    var isRaised: Bool { wait(within: .zero) }

    /// - Returns: whether it was told to stop within the limit.
    @discardableResult
    func wait(within limit: Duration) -> Bool {
        var end = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        let milliseconds: Double = limit / .milliseconds(1)
        // Safe: one structure of our own.
        return unsafe poll(&end, 1, Int32(milliseconds.rounded(.up))) > 0
    }

    /// - Parameter milliseconds: the longest wait; -1 waits without limit, on a thread made for that.
    func wait(for input: Int32, milliseconds: Int32) -> Event {
        var list = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            // Safe: the list is ours and the count its own.
            let count = unsafe list.withUnsafeMutableBufferPointer { list in
                unsafe poll(list.baseAddress, nfds_t(list.count), milliseconds)
            }
            if count < 0 && errno == EINTR { continue }
            if list[0].revents != 0 { return .stopped }
            // `read` then finds the end or the error.
            return list[1].revents != 0 ? .input : .nothing
        }
    }
}
