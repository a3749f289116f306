// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Waits for descriptors.
public enum Poll {
    /// Whether there is something to read, an end or an error on `descriptor` within the limit.
    public static func isReadable(_ descriptor: Int32, within limit: Duration) -> Bool {
        wait([pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)], within: limit) != []
    }

    /// Whether `descriptor` takes bytes, or is broken, within the limit.
    public static func isWritable(_ descriptor: Int32, within limit: Duration) -> Bool {
        wait([pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)], within: limit) != []
    }

    /// Whether no process reads any more what is written to the pipe `descriptor`.
    public static func hasNoReader(_ descriptor: Int32) -> Bool {
        polled([pollfd(fd: descriptor, events: 0, revents: 0)], within: .zero).contains {
            $0.revents & Int16(POLLERR) != 0
        }
    }

    /// Waits for input on any of the descriptors.
    ///
    /// - Parameter limit: nil waits as long as it takes.
    /// - Returns: for each of them what happened; all zero when the time is up.
    public static func events(on descriptors: [Int32], within limit: Duration?) -> [Int16] {
        polled(descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }, within: limit).map(\.revents)
    }

    /// - Returns: the descriptors on which something happened; none when the time is up.
    private static func wait(_ descriptors: [pollfd], within limit: Duration) -> [Int32] {
        polled(descriptors, within: limit).filter { $0.revents != 0 }.map(\.fd)
    }

    private static func polled(_ descriptors: [pollfd], within limit: Duration?) -> [pollfd] {
        var list = descriptors
        let milliseconds = limit.map { Int32(clamping: $0 / .milliseconds(1)) } ?? -1
        while true {
            // Safe: the list is ours and its count its own.
            let count = unsafe list.withUnsafeMutableBufferPointer { list in
                unsafe poll(list.baseAddress, nfds_t(list.count), milliseconds)
            }
            if count < 0 && errno == EINTR { continue }
            return list
        }
    }
}

extension Duration {
    fileprivate static func / (left: Duration, right: Duration) -> Int64 {
        let quotient: Double = left / right
        return Int64(quotient.rounded(.up))
    }
}
