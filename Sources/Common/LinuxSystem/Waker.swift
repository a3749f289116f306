// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// A flag that one thread raises and another waits for, together with its input: eventfd(2).
public final class Waker: Sendable {
    /// The reason for the end of ``wait(orInput:within:)``.
    public enum Event: Sendable { case raised, input, nothing }

    /// Readable while the flag is up.
    public let descriptor: Int32

    public init() throws(SystemRefusal) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemRefusal(errno) }
    }

    deinit { close(descriptor) }

    /// Makes one where the program cannot go on without.
    public static func required() -> Waker {
        do throws(SystemRefusal) { return try Waker() } catch {
            preconditionFailure("\(error)")
        }
    }

    public func raise() { eventfd_write(descriptor, 1) }

    /// Takes the flag down.
    ///
    /// - Returns: whether it was up.
    @discardableResult
    public func lower() -> Bool {
        var count: eventfd_t = 0
        // Safe: one number of our own is written to.
        return unsafe eventfd_read(descriptor, &count) == 0
    }

    public var isRaised: Bool { wait(within: .zero) }

    /// - Returns: whether it was raised within the limit.
    @discardableResult
    public func wait(within limit: Duration) -> Bool { Poll.isReadable(descriptor, within: limit) }

    /// Waits for the flag, or for something to read, an end or an error on another descriptor.
    ///
    /// - Parameter limit: nil waits as long as it takes.
    public func wait(orInput input: Int32, within limit: Duration?) -> Event {
        let events = Poll.events(on: [descriptor, input], within: limit)
        return events[0] != 0 ? .raised : events[1] != 0 ? .input : .nothing
    }
}

/// The system has no thread or descriptor left.
public struct SystemRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// As errno(3).
    public let code: Int32

    init(_ code: Int32) { self.code = code }

    public var description: String { "the system has no thread or descriptor left: \(systemErrorText(code))" }
}
