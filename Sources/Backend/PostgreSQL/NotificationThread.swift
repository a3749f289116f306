// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Glibc
import LinuxSystem

/// Receives the notifications that processes send by the server (`NOTIFY`), on a connection and a thread of its own.
/// The thread ends soon after this object.
final class NotificationThread: Sendable {
    /// The pause before connecting again: doubled each time, and reset by a connection that has lasted.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(2))

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
            try SystemThread.detach { Self.listen(first, polling, until: stop, renewal, connect, handle) }
        } catch {
            throw DatabaseFault(.unreachable, "\(error)")
        }
        (self.stop, self.renewal) = (stop, renewal)
    }

    deinit { stop.raise() }

    /// Connects again, because this server is no longer the primary.
    func renew() { renewal.raise() }

    private static func listen(
        _ first: ServerConnection, _ polling: Duration, until stop: Waker, _ renewal: Waker,
        _ connect: () -> Result<ServerConnection, DatabaseFault>, _ handle: (Database.Event) -> Void
    ) {
        var connection: ServerConnection? = first
        var begin = ContinuousClock.now
        var nextPoll = begin + polling
        var pause = pauses.first
        while true {
            if nextPoll <= .now {
                handle(.mayHaveMissed)
                nextPoll = .now + polling
            }
            if let current = connection {
                // Notifications may have arrived with an earlier answer.
                let isLeft = renewal.lower()
                if !isLeft, let payloads = current.takeNotifications() {
                    for payload in payloads { handle(.notified(payload)) }
                    let rest = max(.zero, nextPoll - .now)
                    if waits(for: [current.descriptor, renewal.descriptor], or: stop, atMost: rest) { return }
                    continue
                }
                connection = nil
                // Keeps the pause for a server that hangs up at once.
                if .now - begin > pauses.longest { pause = pauses.first }
            }
            if waits(for: [], or: stop, atMost: pause) { return }
            pause = min(pause * 2, pauses.longest)
            if case .success(let again) = connect() {
                connection = again
                begin = .now
                handle(.mayHaveMissed)
            }
        }
    }

    /// - Returns: whether the thread has to end.
    private static func waits(for descriptors: [Int32], or stop: Waker, atMost limit: Duration) -> Bool {
        Poll.events(on: [stop.descriptor] + descriptors, within: limit)[0] != 0
    }
}
