// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import ServiceLifecycle
import Synchronization

/// Claims that the storage may hold though no process is judging: it did not answer when they were made or given back.
/// A database that stood still carries out later what it was asked, and the identity would be busy until the claim
/// ends. They are given back as soon as the storage answers again.
struct AbandonedClaims: Service {
    /// More are left to end by themselves.
    static let capacity = 1024
    static let pause = Duration.seconds(1)
    /// Once more than needed: the storage may be about to make the claim that it is asked to give back.
    private static let times = 2

    private struct Claim {
        /// Nil when the answer would have said it.
        let mpinID: MPinID?
        let number: UInt64
        let end: WallTime
        var timesGivenBack = 0
    }

    private final class Waiting: Sendable {
        let claims = Mutex<[Claim]>([])
    }

    private let ledger: any LoginLedger
    private let clock: any WallClock
    private let waiting = Waiting()
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init(ledger: any LoginLedger, clock: any WallClock) {
        (self.ledger, self.clock) = (ledger, clock)
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ mpinID: MPinID?, claim: UInt64, end: WallTime) {
        waiting.claims.withLock { claims in
            if claims.count < Self.capacity { claims.append(Claim(mpinID: mpinID, number: claim, end: end)) }
        }
        arrival.yield()
    }

    func run() async throws {
        for await _ in arrivals.cancelOnGracefulShutdown() {
            while await giveBack() {
                let (clock, next) = (clock, clock.now + Self.pause)
                try? await cancelWhenGracefulShutdown { try await clock.sleep(until: next) }
                if Task.isShuttingDownGracefully || Task.isCancelled { return }
            }
        }
    }

    /// - Returns: whether some are left.
    private func giveBack() async -> Bool {
        let now = clock.now
        let present = waiting.claims.withLock { claims in
            claims.removeAll { $0.end <= now || $0.timesGivenBack == Self.times }
            return claims
        }
        for claim in present {
            // A storage that does not answer to one does not to the next.
            do { try await ledger.release(claim.mpinID, claim: claim.number, now: now) } catch { break }
            waiting.claims.withLock { claims in
                guard let index = claims.firstIndex(where: { $0.number == claim.number }) else { return }
                claims[index].timesGivenBack += 1
            }
        }
        return !present.isEmpty
    }
}
