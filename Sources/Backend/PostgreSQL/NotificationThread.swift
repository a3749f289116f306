// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Glibc
import LinuxSystem
import Synchronization

/// Hears what processes tell each other by way of the server (`NOTIFY`), on a connection and a thread of its own.
///
/// Its thread ends soon after its owner has gone.
final class NotificationThread: Sendable {
    enum Event: Sendable {
        /// It listens again after a time when it did not: something may have been missed.
        case resumed
        case notified(String)
    }

    /// How long it waits before it connects again: doubled each time, and back to the first after a connection that
    /// has lasted.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(2))

    /// Readable when it is to end.
    private let stop: Waker
    /// Readable when it is to connect anew.
    private let renewal: Waker
    private let listening = Listening()

    /// The number of the connection it listens on, another one for each; nil while there is none, as far as it knows.
    var connectionNumber: UInt64? {
        let number = listening.number.load(ordering: .acquiring)
        return number == 0 ? nil : number
    }

    private final class Listening: Sendable {
        /// 0: on none.
        let number = Atomic<UInt64>(firstNumber)
    }

    /// The number of the connection that comes first.
    static let firstNumber: UInt64 = 1

    /// - Parameters:
    ///   - first: a connection that listens already.
    ///   - connect: makes another one that listens, with the number that it will have.
    init(
        _ first: ServerConnection, connect: @escaping @Sendable (UInt64) -> Result<ServerConnection, DatabaseFault>,
        _ handle: @escaping @Sendable (Event) -> Void
    ) throws(DatabaseFault) {
        let (stop, renewal): (Waker, Waker)
        do throws(SystemRefusal) { (stop, renewal) = (try Waker(), try Waker()) } catch {
            throw DatabaseFault(.unreachable, "\(error)")
        }
        (self.stop, self.renewal) = (stop, renewal)
        let listening = listening
        let isStarted = BlockingThread.start {
            Self.listen(first, until: stop, renewal, listening, connect, handle)
        }
        guard isStarted else { throw DatabaseFault(.unreachable, "the system refuses another thread") }
    }

    deinit { stop.raise() }

    /// Leaves the server that it listens at, which is not the one that is written to any more.
    func renew() { renewal.raise() }

    private static func listen(
        _ first: ServerConnection, until stop: Waker, _ renewal: Waker, _ listening: Listening,
        _ connect: (UInt64) -> Result<ServerConnection, DatabaseFault>, _ handle: (Event) -> Void
    ) {
        var connection: ServerConnection? = first
        var begin = ContinuousClock.now
        var pause = pauses.first
        var number = firstNumber
        while true {
            if let current = connection {
                // What came with an answer, before there was anything to wait for, too.
                let isLeft = renewal.lower()
                if !isLeft, let payloads = current.takeNotifications() {
                    for payload in payloads { handle(.notified(payload)) }
                    if waits(for: [current.descriptor, renewal.descriptor], or: stop, atMost: nil) { return }
                    continue
                }
                listening.number.store(0, ordering: .releasing)
                connection = nil
                // A server that hangs up at once, again and again, is not asked all the time.
                if .now - begin > pauses.longest { pause = pauses.first }
            }
            if waits(for: [], or: stop, atMost: pause) { return }
            pause = min(pause * 2, pauses.longest)
            // One that fails may have got as far as the server.
            number += 1
            if case .success(let again) = connect(number) {
                connection = again
                begin = .now
                listening.number.store(number, ordering: .releasing)
                handle(.resumed)
            }
        }
    }

    /// - Returns: whether it is to end.
    private static func waits(for descriptors: [Int32], or stop: Waker, atMost limit: Duration?) -> Bool {
        Poll.events(on: [stop.descriptor] + descriptors, within: limit)[0] != 0
    }
}
