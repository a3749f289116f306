// SPDX-License-Identifier: Apache-2.0

public import Glibc
import Synchronization

/// Reports to the service manager that started this process (sd_notify(3)): datagrams with lines of `NAME=value` to
/// the socket in `NOTIFY_SOCKET`. This saves the library libsystemd.
public final class ServiceNotifier: Sendable {
    public enum Word: Sendable, Equatable {
        /// The program serves, or serves again after ``reloading``.
        case ready
        /// The program reads its settings again; ``ready`` has to follow.
        case reloading
        case stopping
        /// The program's state in words for `systemctl status`: one line.
        case status(String)
        /// A keep-alive message for the watchdog.
        case alive
    }

    /// The reason why reports do not reach the manager. It is reported once, and the program continues without.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// The number of bytes in `sun_path` (unix(7)).
    private static let longestAddress = 108
    /// A longer status does not fit a line.
    private static let longestStatus = 1000
    /// In microseconds. No busy machine could meet a shorter watchdog in time.
    private static let shortestWatchdog: UInt64 = 10_000

    private let descriptor: Int32
    private let address: [UInt8]
    private let lastFailure = Mutex<Int32>(0)
    private let complain: @Sendable (Problem) -> Void

    /// Reads the manager's address.
    ///
    /// - Parameter complain: called with the reason why a report could not be sent, once for each.
    /// - Returns: nil when no manager wants reports.
    /// - Throws: when `NOTIFY_SOCKET` names no possible socket.
    public init?(
        environment: [String: String], complain: @escaping @Sendable (Problem) -> Void
    ) throws(Problem) {
        guard let text = environment["NOTIFY_SOCKET"], !text.isEmpty else { return nil }
        address = try ServiceNotifier.address(text)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Problem(description: "no socket: \(systemErrorText())") }
        self.complain = complain
        // A manager that does not read must not block the program.
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        // Safe: the call reads the variable that it is lent, with its size.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The interval of keep-alive messages for the manager's watchdog: half of `WATCHDOG_USEC`, as
    /// sd_watchdog_enabled(3) advises.
    ///
    /// - Parameter process: the id of this process; a watchdog for another process (`WATCHDOG_PID`) is ignored.
    /// - Returns: nil without a watchdog.
    /// - Throws: when the value is not a usable number of microseconds.
    public static func watchdogInterval(
        in environment: [String: String], process: Int32 = getpid()
    ) throws(Problem) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], !text.isEmpty else { return nil }
        if let owner = environment["WATCHDOG_PID"], !owner.isEmpty {
            guard let owner = Int32(owner) else {
                throw Problem(description: "WATCHDOG_PID is not a process: '\(printable(owner))'")
            }
            guard owner == process else { return nil }
        }
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let microseconds = UInt64(text),
            microseconds >= shortestWatchdog, microseconds < UInt64(Int64.max)
        else {
            throw Problem(
                description:
                    "WATCHDOG_USEC is not a number of microseconds from \(shortestWatchdog) on: '\(printable(text))'")
        }
        return .microseconds(Int64(microseconds / 2))
    }

    /// Sends the words in one datagram.
    ///
    /// - Returns: false when the manager did not receive it.
    @discardableResult
    public func tell(_ words: Word...) -> Bool { tell { words } }

    /// Sends the result of `compose` in one datagram, or nothing if it is empty. No other thread composes or sends
    /// meanwhile, so that the manager's last report is the newest.
    ///
    /// - Parameter compose: must not send reports itself.
    /// - Returns: false when the manager did not receive it.
    @discardableResult
    public func tell(_ compose: () -> [Word]) -> Bool {
        let (failure, isNew) = lastFailure.withLock { last in
            let words = compose()
            guard !words.isEmpty else { return (Int32(0), false) }
            let failure = send(Array(words.map(ServiceNotifier.lines).joined(separator: "\n").utf8))
            defer { last = failure }
            return (failure, failure != last)
        }
        if failure != 0, isNew {
            complain(Problem(description: "the service manager cannot be notified: \(systemErrorText(failure))"))
        }
        return failure == 0
    }

    /// - Returns: 0, or an `errno`.
    private func send(_ bytes: [UInt8]) -> Int32 {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        // Safe: the address is no longer than the path of our own structure.
        unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.copyBytes(from: address) }
        repeat {
            if send(bytes, to: place) == bytes.count { return 0 }
        } while errno == EINTR
        return errno
    }

    private func send(_ bytes: [UInt8], to place: sockaddr_un) -> Int {
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + address.count } ?? 0)
        // Safe: structure and bytes are lent for the call, with their lengths.
        return unsafe withUnsafePointer(to: place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), place, length)
            }
        }
    }

    /// A path, or for `@NAME` an abstract name, which begins with a zero byte.
    static func address(_ text: String) throws(Problem) -> [UInt8] {
        var bytes = Array(text.utf8)
        // A path needs a final zero byte.
        let limit = text.hasPrefix("@") ? longestAddress : longestAddress - 1
        guard text.hasPrefix("/") || text.hasPrefix("@"), bytes.count > 1, bytes.count <= limit else {
            throw Problem(
                description: "NOTIFY_SOCKET is neither a path nor @NAME of at most \(limit) bytes: '\(printable(text))'"
            )
        }
        if text.hasPrefix("@") { bytes[0] = 0 } else { bytes.append(0) }
        return bytes
    }

    static func lines(_ word: Word) -> String {
        switch word {
        case .ready: "READY=1"
        // `Type=notify-reload` requires the time; other types ignore it.
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds())"
        case .stopping: "STOPPING=1"
        case .status(let text): "STATUS=\(printable(text))"
        case .alive: "WATCHDOG=1"
        }
    }

    /// Puts a text on one line, because a line break would begin another word.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestStatus).map { $0.value < 32 ? " " : $0 }))
    }

    private static func monotonicMicroseconds() -> Int64 {
        let (seconds, attoseconds) = MonotonicTime.now.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
