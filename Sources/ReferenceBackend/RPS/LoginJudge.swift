// SPDX-License-Identifier: Apache-2.0

import Logging
import MPinCrypto
import ServiceLifecycle
import Synchronization

/// The counter behind 401, 401, 410, which every dialect shares. Milagro protocol, section 11.1.
///
/// The counter is per identity, so whoever knows an mpin_id could block its owner. That is slowed down: logins of one
/// identity are judged one at a time (another one meanwhile: 429, not counted), and after the first and second failure in
/// a row the next verdict waits until two and four seconds have passed. A person who types again does not notice.
final class LoginJudge: Sendable {
    private static let pauses: [Duration] = [.zero, .seconds(2), .seconds(4)]

    private let database: BackendDatabase
    private let clock: any WallClock
    private let logger: Logger
    /// Identities of which a login is being judged right now.
    private let judging = Mutex<Set<MPinID>>([])

    init(database: BackendDatabase, clock: any WallClock, logger: Logger) {
        self.database = database
        self.clock = clock
        self.logger = logger
    }

    /// Judges a login whose authOTT nobody can present again.
    /// - Parameter isAccepted: what pass 2 found.
    /// - Throws: `Refusal` 401 for a wrong PIN, 410 when the identity is blocked now or was before, 429.
    func judge(_ mpinID: MPinID, isAccepted: Bool) async throws -> RegisteredIdentity {
        guard judging.withLock({ $0.insert(mpinID).inserted }) else { throw Refusal.tooManyLogins }
        defer { judging.withLock { _ = $0.remove(mpinID) } }
        guard let before = try database.lookUp({ try RegisteredIdentity.find(mpinID, in: $0) }) else {
            throw Refusal(410, Self.wrongPIN)
        }
        if before.isBlocked { throw Refusal(410, Self.wrongPIN) }
        // The usual login: there is nothing to write, so nobody waits for the disk.
        if isAccepted, before.failures == 0 {
            logVerdict(on: mpinID, isAccepted, failures: 0)
            return before
        }
        try await pause(after: before)
        let now = clock.now
        let after = try await database.write { database -> RegisteredIdentity? in
            guard var identity = try RegisteredIdentity.find(mpinID, in: database), !identity.isBlocked else {
                return nil
            }
            if isAccepted {
                try identity.forgetFailures(in: database)
            } else {
                try identity.countFailure(at: now, in: database)
            }
            return identity
        }
        logVerdict(on: mpinID, isAccepted, failures: after?.failures ?? RegisteredIdentity.maximumFailures)
        guard let after, !after.isBlocked else { throw Refusal(410, Self.wrongPIN) }
        guard isAccepted else { throw Refusal(401, Self.wrongPIN) }
        return after
    }

    private func logVerdict(on mpinID: MPinID, _ isAccepted: Bool, failures: Int64) {
        logger.info(
            "login judged",
            metadata: [
                "identity": "\(mpinID.fingerprint)", "right": "\(isAccepted)", "failures": "\(failures)",
            ])
    }

    private static let wrongPIN = "Wrong PIN."

    private func pause(after identity: RegisteredIdentity) async throws {
        guard let lastFailure = identity.lastFailure, identity.failures > 0 else { return }
        let pause = Self.pauses[min(Int(identity.failures), Self.pauses.count - 1)]
        let now = clock.now
        // A clock that was set back must not turn seconds into hours.
        let deadline = min(lastFailure + pause, now + pause)
        guard deadline > now else { return }
        let clock = clock
        try await cancelWhenGracefulShutdown { try await clock.sleep(until: deadline) }
    }
}
