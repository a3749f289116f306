// SPDX-License-Identifier: Apache-2.0

import Logging
import MPinCrypto
import ServiceLifecycle

/// Puts the server secret together from what two D-TAs elsewhere answer, and asks until both do. From then on it asks
/// now and then, so that operators hear of one that is away before a person does who registers.
struct ServerSecretFetch: Service {
    private static let longestWait = Duration.seconds(30)

    let first: RemoteAuthority
    let second: RemoteAuthority
    let verifier: LateVerifier
    let storage: any DurableStorage
    let clock: any WallClock
    let logger: Logger

    /// It is there until the shutdown's turn comes to it: a group takes it for a failure when a service finishes while
    /// another one is shut down.
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

    /// - Returns: false when the backend is told to stop.
    private func pause(_ duration: Duration) async -> Bool {
        let (clock, end) = (clock, clock.now + duration)
        do { try await cancelWhenGracefulShutdown { try await clock.sleep(until: end) } } catch { return false }
        return true
    }

    /// - Returns: whether logins begin.
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

    /// - Returns: nil when one of them gave no share; the log says why.
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
