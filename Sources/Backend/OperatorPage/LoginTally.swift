// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Logging
package import MPinServer
import ServiceLifecycle
import Synchronization

/// Counts checked logins for the operator's page, and passes the sums to the storage, which adds those of all
/// processes. No login waits for it. A killed process loses the counts of the last period. Nothing else depends on them.
package final class LoginTally: BackendObserver, Service {
    /// The time from the first counted login until the storage gets the counts.
    package static let period = Duration.seconds(10)

    private let storage: any OperatorStorage
    private let clock: any WallClock
    private let period: Duration
    private let next: (any BackendObserver)?
    private let logger: Logger
    private let waiting = Mutex(LoginCounts())
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    /// - Parameter next: the outside observer of the backend, which gets all events as well.
    package init(
        storage: any OperatorStorage, clock: any WallClock, period: Duration,
        then next: (any BackendObserver)?, logger: Logger
    ) {
        (self.storage, self.clock, self.period, self.next, self.logger) = (storage, clock, period, next, logger)
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func checked(_ proof: CheckedProof) {
        if proof.kind == .login {
            let isFirst = waiting.withLock { waiting in
                defer { waiting.count(proof.verdict) }
                return waiting.isZero
            }
            if isFirst { arrival.yield() }
        }
        next?.checked(proof)
    }

    package func asked(authority number: Int, answers: Bool) { next?.asked(authority: number, answers: answers) }

    package func acted(_ deed: OperatorDeed) { next?.acted(deed) }

    package func revoked(userID: String, fingerprint: String) {
        next?.revoked(userID: userID, fingerprint: fingerprint)
    }

    /// Ends with the backend's other services, after the last verdict.
    func run() async throws {
        for await _ in arrivals.cancelOnGracefulShutdown() {
            // A monotonic clock, because the period does not depend on the time of day.
            try? await cancelWhenGracefulShutdown { [period] in try await Task.sleep(for: period) }
            await handOver()
        }
        await handOver()
    }

    /// Passes the counts to the storage. Counts that it does not accept are kept for the next time.
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
