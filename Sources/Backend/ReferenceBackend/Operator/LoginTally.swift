// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Synchronization

/// Counts judged logins for the operator's page, and hands what has come together to the storage, which adds up those
/// of all processes. No login waits for it. A process that is killed takes what it has counted since the last time with
/// it, and nothing else depends on these counts.
final class LoginTally: BackendWatch, Service {
    /// From the first login that is counted until the storage hears of it.
    static let period = Duration.seconds(10)

    private let storage: any DurableStorage
    private let clock: any WallClock
    private let period: Duration
    private let next: (any BackendWatch)?
    private let logger: Logger
    private let waiting = Mutex(LoginCounts())
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    /// - Parameter next: what watches the backend from outside, and hears everything as well.
    init(
        storage: any DurableStorage, clock: any WallClock, period: Duration = LoginTally.period,
        then next: (any BackendWatch)?, logger: Logger
    ) {
        (self.storage, self.clock, self.period, self.next, self.logger) = (storage, clock, period, next, logger)
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func judged(_ proof: JudgedProof) {
        if proof.kind == .login {
            let isFirst = waiting.withLock { waiting in
                defer { waiting.count(proof.verdict) }
                return waiting.isZero
            }
            if isFirst { arrival.yield() }
        }
        next?.judged(proof)
    }

    func asked(authority number: Int, answers: Bool) { next?.asked(authority: number, answers: answers) }

    func acted(_ deed: OperatorDeed) { next?.acted(deed) }

    func revoked(userID: String, fingerprint: String) { next?.revoked(userID: userID, fingerprint: fingerprint) }

    /// Ends with the backend's other services, after the last login was judged.
    func run() async throws {
        for await _ in arrivals.cancelOnGracefulShutdown() {
            // By no clock that can be set: how old what waits gets is no matter of what time it is.
            try? await cancelWhenGracefulShutdown { [period] in try await Task.sleep(for: period) }
            await handOver()
        }
        await handOver()
    }

    /// Hands the counts to the storage. Counts that the storage does not take stay, and are counted when it does.
    private func handOver() async {
        let counts = waiting.withLock { waiting in
            defer { waiting = LoginCounts() }
            return waiting
        }
        guard !counts.isZero else { return }
        do { try await storage.add(counts, now: clock.now) } catch {
            waiting.withLock { $0 += counts }
            arrival.yield()
            logger.warning(
                "logins are not counted for the operator's page yet", metadata: ["reason": "\(error.reason)"])
        }
    }
}
