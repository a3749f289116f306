// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import LinuxSystem
import NIOCore
import ServiceLifecycle
import Synchronization

/// The polls of login pages that are held until there is something to report, one per page.
/// docs/decisions/0122-pages-that-wait.md
package final class LongPolls: Sendable {
    /// The longest time that a poll is held. Proxies wait longer.
    package static let limit = Duration.seconds(25)

    /// The connection or HTTP/2 stream of the current request; nil outside of a connection.
    @TaskLocal static var channel: (any Channel)?

    private struct Poll {
        let address: ClientAddress
        let released: Eventually<Void>
    }

    private let capacity: Int
    private let perAddress: Int
    private let clock: any WallClock
    private let polls = Mutex<[BrowserCookie: Poll]>([:])

    /// - Parameters:
    ///   - capacity: polls that are held in total. Other requests use the listener's other connections.
    ///   - perAddress: polls that are held for one address.
    package init(capacity: Int = ConnectionBounds.maximum / 2, perAddress: Int = 32, clock: any WallClock) {
        self.capacity = capacity
        self.perAddress = perAddress
        self.clock = clock
    }

    /// Number of held polls.
    var count: Int { polls.withLock { $0.count } }

    /// Holds a page's poll. An earlier poll of the same page is answered.
    /// - Returns: settled when the poll must be answered; nil when too many are held.
    package func begin(_ page: BrowserCookie) -> Eventually<Void>? {
        let poll = Poll(address: .current, released: Eventually())
        let (earlier, isHeld) = polls.withLock { polls in
            let earlier = polls.removeValue(forKey: page)
            let isHeld =
                polls.count < capacity
                && polls.values.count { $0.address == poll.address } < perAddress
            if isHeld { polls[page] = poll }
            return (earlier, isHeld)
        }
        earlier?.released.settle(.success(()))
        return isHeld ? poll.released : nil
    }

    package func end(_ page: BrowserCookie, _ released: Eventually<Void>) {
        polls.withLock { polls in
            if polls[page]?.released === released { polls[page] = nil }
        }
    }

    /// Waits for a change, or for the time of the next look.
    /// - Returns: false when the poll must be answered without another look: a newer one has come, the client has
    ///   left, or the listener ends.
    package func wait(
        for changes: AsyncStream<Void>, until end: WallTime, unless released: Eventually<Void>
    ) async -> Bool {
        await withGracefulShutdownHandler {
            Self.channel?.hold(released)
            defer { Self.channel?.triggerUserOutboundEvent(RequestHandler.HoldEnds(), promise: nil) }
            return await isToLook(after: changes, at: end, unless: released)
        } onGracefulShutdown: {
            released.settle(.success(()))
        }
    }

    private func isToLook(
        after changes: AsyncStream<Void>, at end: WallTime, unless released: Eventually<Void>
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await changes.first { _ in true } != nil }
            group.addTask { [clock] in (try? await clock.sleep(until: end)) != nil }
            group.addTask {
                try? await released.value
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}

extension Channel {
    /// Marks the connection as waiting while an answer is held, so that it can make room for others.
    func hold(_ released: Eventually<Void>) {
        eventLoop.execute {
            // A closed channel gets no more events.
            guard self.isActive else { return released.settle(.success(())) }
            self.triggerUserOutboundEvent(RequestHandler.Hold(released: released), promise: nil)
        }
    }
}
