// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Glibc
import LinuxSystem

/// Hears what processes tell each other by way of the server (`NOTIFY`), on a connection and a thread of its own.
///
/// Its thread ends soon after its owner has gone.
final class NotificationThread: Sendable {
    /// How long it waits before it connects again: doubled each time, and back to the first after a connection that
    /// has lasted.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(2))

    /// Readable when it is to end.
    private let stop: Waker
    /// Readable when it is to connect anew.
    private let renewal: Waker

    /// - Parameters:
    ///   - first: a connection that listens already.
    ///   - polling: how often ``Database/Event/mayHaveMissed`` is told although nothing was missed: a notification may
    ///     get lost, and the end of a connection may not be noticed for a while.
    ///   - connect: makes another one that listens.
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

    /// Leaves the server that it listens at, which is not the one that is written to any more.
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
                // Notifications also come with an answer, before there is anything to wait for.
                let isLeft = renewal.lower()
                if !isLeft, let payloads = current.takeNotifications() {
                    for payload in payloads { handle(.notified(payload)) }
                    let rest = max(.zero, nextPoll - .now)
                    if waits(for: [current.descriptor, renewal.descriptor], or: stop, atMost: rest) { return }
                    continue
                }
                connection = nil
                // A server that hangs up at once, again and again, is not asked all the time.
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

    /// - Returns: whether it is to end.
    private static func waits(for descriptors: [Int32], or stop: Waker, atMost limit: Duration) -> Bool {
        Poll.events(on: [stop.descriptor] + descriptors, within: limit)[0] != 0
    }
}
