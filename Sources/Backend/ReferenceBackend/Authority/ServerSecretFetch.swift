// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Logging
import MPinCrypto
import MPinServer
import ServiceLifecycle

/// Combines the server secret from the shares of two D-TAs elsewhere, and asks until both answer. Later it asks now
/// and then, so that operators learn of a fault before a registration fails.
struct ServerSecretFetch: Service {
    private static let longestWait = Duration.seconds(30)

    let first: RemoteAuthority
    let second: RemoteAuthority
    let verifier: PendingVerifier
    let storage: any DurableStorage
    let clock: any WallClock
    let logger: Logger

    /// Runs until shutdown: a service group treats a service as failed that finishes while another shuts down.
    func run() async throws {
        await ask()
        while await pause(Self.longestWait) {
            async let isFirstThere: Void? = try? first.requireAnswer()
            async let isSecondThere: Void? = try? second.requireAnswer()
            _ = await (isFirstThere, isSecondThere)
        }
        try? await gracefulShutdown()
    }

    private func ask() async {
        var wait = Duration.seconds(1)
        while true {
            if let secret = await fetch(), await settle(secret) { return }
            guard await pause(wait) else { return }
            wait = min(wait * 2, Self.longestWait)
        }
    }

    /// - Returns: false when the backend is stopping.
    private func pause(_ duration: Duration) async -> Bool {
        let (clock, end) = (clock, clock.now + duration)
        do { try await cancelWhenGracefulShutdown { try await clock.sleep(until: end) } } catch { return false }
        return true
    }

    /// - Returns: whether logins can begin.
    private func settle(_ secret: ServerSecret) async -> Bool {
        do throws(StorageError) {
            let isSettled = try await verifier.settle(secret, in: storage)
            if isSettled {
                logger.info("both D-TAs have answered: logins begin")
            } else {
                logger.critical("\(BackendError.otherServerSecret)", metadata: ["hint": "\(BackendError.secretHint)"])
            }
            return isSettled
        } catch {
            logger.error("the server secret cannot be compared", metadata: ["reason": "\(error.reason)"])
            return false
        }
    }

    /// - Returns: nil when a D-TA gave no share. The log has the reason.
    private func fetch() async -> ServerSecret? {
        async let firstShare = try? first.serverSecretShare()
        async let secondShare = try? second.serverSecretShare()
        guard let one = await firstShare, let other = await secondShare else { return nil }
        guard one != other, let secret = try? ServerSecret(combining: one, other) else {
            first.log(.sameHalf)
            return nil
        }
        return secret
    }
}
