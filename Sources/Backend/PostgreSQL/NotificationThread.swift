// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Glibc
import LinuxSystem

/// Receives the notifications that processes send by the server (`NOTIFY`), on a connection and a thread of its own.
/// The thread ends soon after this object.
final class NotificationThread: Sendable {
    /// Raised when the thread has to end.
    private let stop: Waker
    /// Raised when it has to connect again.
    private let renewal: Waker

    /// - Parameters:
    ///   - first: a connection that already listens.
    ///   - polling: the time between two events ``Database/Event/mayHaveMissed`` without a reason. A notification may
    ///     get lost, and the end of a connection may not be noticed for a while.
    ///   - connect: opens another connection that listens.
    init(
        _ first: ServerConnection, polling: Duration,
        connect: @escaping @Sendable () -> Result<ServerConnection, DatabaseFault>,
        _ handle: @escaping @Sendable (Database.Event) -> Void
    ) throws(DatabaseFault) {
        let (stop, renewal): (Waker, Waker)
        do throws(SystemRefusal) {
            (stop, renewal) = (try Waker(), try Waker())
            try SystemThread.detach {
                var loop = NotificationLoop(
                    stop: stop, renewal: renewal, polling: polling, connect: connect, handle: handle,
                    connection: first, nextPoll: .now + polling)
                loop.run()
            }
        } catch {
            throw DatabaseFault(.unreachable, "\(error)")
        }
        (self.stop, self.renewal) = (stop, renewal)
    }

    deinit { stop.raise() }

    /// Connects again, because this server is no longer the primary.
    func renew() { renewal.raise() }
}

/// The work of the thread.
private struct NotificationLoop {
    /// The pause before connecting again: doubled each time, and reset by a connection that has lasted.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(2))

    let stop: Waker
    let renewal: Waker
    let polling: Duration
    let connect: () -> Result<ServerConnection, DatabaseFault>
    let handle: (Database.Event) -> Void
    /// Nil while it is lost.
    var connection: ServerConnection?
    var nextPoll: ContinuousClock.Instant

    /// Returns when the thread has to end.
    mutating func run() {
        var begin = ContinuousClock.now
        var pause = Self.pauses.first
        while listen() {
            connection = nil
            // Keeps the pause for a server that hangs up at once.
            if .now - begin > Self.pauses.longest { pause = Self.pauses.first }
            while connection == nil {
                pollIfDue()
                if waits(for: [], atMost: pause) { return }
                pause = min(pause * 2, Self.pauses.longest)
                connection = try? connect().get()
            }
            begin = .now
            handle(.mayHaveMissed)
        }
    }

    /// Passes notifications on until the connection is lost.
    /// - Returns: false when the thread has to end.
    private mutating func listen() -> Bool {
        guard let connection else { return true }
        while true {
            pollIfDue()
            // Notifications may have arrived with an earlier answer.
            guard !renewal.lower(), let payloads = connection.takeNotifications() else { return true }
            for payload in payloads { handle(.notified(payload)) }
            let rest = max(.zero, nextPoll - .now)
            if waits(for: [connection.descriptor, renewal.descriptor], atMost: rest) { return false }
        }
    }

    private mutating func pollIfDue() {
        guard nextPoll <= .now else { return }
        handle(.mayHaveMissed)
        nextPoll = .now + polling
    }

    /// - Returns: whether the thread has to end.
    private func waits(for descriptors: [Int32], atMost limit: Duration) -> Bool {
        Poll.events(on: [stop.descriptor] + descriptors, within: limit)[0] != 0
    }
}
