// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Glibc
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
    private let stop: Int32
    /// Readable when it is to connect anew.
    private let renewal: Int32
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
        let stop = eventfd(0, Int32(EFD_CLOEXEC))
        let renewal = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        func closeAll() { for descriptor in [stop, renewal] where descriptor >= 0 { close(descriptor) } }
        guard stop >= 0, renewal >= 0 else {
            closeAll()
            throw DatabaseFault(.unreachable, "the system refuses another descriptor")
        }
        (self.stop, self.renewal) = (stop, renewal)
        let listening = listening
        let isStarted = BlockingThread.start {
            Self.listen(first, until: stop, renewal, listening, connect, handle)
            close(stop)
            close(renewal)
        }
        guard isStarted else {
            closeAll()
            throw DatabaseFault(.unreachable, "the system refuses another thread")
        }
    }

    deinit { eventfd_write(stop, 1) }

    /// Leaves the server that it listens at, which is not the one that is written to any more.
    func renew() { eventfd_write(renewal, 1) }

    private static func listen(
        _ first: ServerConnection, until stop: Int32, _ renewal: Int32, _ listening: Listening,
        _ connect: (UInt64) -> Result<ServerConnection, DatabaseFault>, _ handle: (Event) -> Void
    ) {
        var connection: ServerConnection? = first
        var begin = ContinuousClock.now
        var pause = pauses.first
        var number = firstNumber
        while true {
            if let current = connection {
                // What came with an answer, before there was anything to wait for, too.
                var count: eventfd_t = 0
                // Safe: one number of our own is written to.
                let isLeft = unsafe eventfd_read(renewal, &count) == 0
                if !isLeft, let payloads = current.takeNotifications() {
                    for payload in payloads { handle(.notified(payload)) }
                    if waits(for: [current.descriptor, renewal], or: stop, atMost: nil) { return }
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
    private static func waits(for descriptors: [Int32], or stop: Int32, atMost limit: Duration?) -> Bool {
        var list = ([stop] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = limit.map { Int32(clamping: Int64($0 / .milliseconds(1) as Double)) } ?? -1
        // Safe: the list is ours.
        _ = unsafe poll(&list, nfds_t(list.count), milliseconds)
        return list[0].revents != 0
    }
}
