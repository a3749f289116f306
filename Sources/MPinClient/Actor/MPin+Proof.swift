// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues
import MPinCrypto

// One proof and what follows from it. The identity is reserved by the caller.
extension MPin {
    /// A login that was started before.
    func authenticate(
        _ key: IdentityKey, _ dialect: any Dialect, _ pin: consuming Pin?, _ target: AuthenticationTarget,
        in call: StaticString
    ) async throws(MPinError) -> LoginReply {
        try dialect.require(target, in: call)
        guard let started = work[key].startedAuthentication else {
            throw MPinError(.misuse, detail: "\(call): start the authentication of this identity first")
        }
        let pin = try MPin.required(pin, in: call)
        let reply = try await prove(key, dialect, pin, target, begunBy: started, in: call)
        work[key].startedAuthentication = nil
        if case .browserSession = target { work[key].logoutTicket = reply.logout }
        return reply
    }

    /// Proves that the person knows the PIN, takes a new secret where the server gives one, and then proves again,
    /// once.
    ///
    /// - Parameter begunBy: the login's start; nil where none is needed, and no permit.
    /// - Throws: ``MPinError/Kind/misuse`` when the identity cannot, ``MPinError/Kind/pinLength(_:)`` for a PIN of
    ///   another length than its own.
    func prove(
        _ key: IdentityKey, _ dialect: any Dialect, _ pin: borrowing Pin, _ target: AuthenticationTarget,
        begunBy started: StartedAuthentication?, in call: StaticString
    ) async throws(MPinError) -> LoginReply {
        guard let prover = identities[key]?.prover(for: target) else {
            throw MPinError(.misuse, detail: "\(call): this identity cannot do that")
        }
        if type(of: dialect).checksPINLength { try MPin.require(pin, toHave: prover.pinLength, in: call) }
        let factor = try MPin.factor(pin, prover, in: call)
        let reply = try await prove(key, dialect, prover, factor, target, started, in: call)
        guard let renewal = reply.renewal else { return reply }
        // What a guest has in memory would be lost, and what the person holds would be void.
        guard guests[key] == nil else { return reply }
        guard await takesNewSecret(key, dialect, renewal, pin, target) else { return reply }
        guard let renewed = identities[key]?.prover(for: target) else { return reply }
        let again = try MPin.factor(pin, renewed, in: call)
        do throws(MPinError) {
            return try await prove(key, dialect, renewed, again, target, started, in: call)
        } catch {
            // The server accepted the proof before; only it knows what became of the session.
            throw error.withUnknownOutcome()
        }
    }

    /// Takes the new secret that the server gives; it is not used yet.
    ///
    /// - Returns: whether that went well. The login did, and where this did not the old secret stays, and is renewed
    ///   the next time if the server wants it.
    func takesNewSecret(
        _ key: IdentityKey, _ dialect: any Dialect, _ renewal: SecretRenewal, _ pin: borrowing Pin,
        _ target: AuthenticationTarget
    ) async -> Bool {
        do throws(MPinError) {
            try await renew(key, dialect, renewal, pin, target)
        } catch {
            logger.warning("a secret was not renewed", metadata: ["cause": "\(error.detail)"])
            return false
        }
        logger.info("a secret was renewed", metadata: ["dialect": "\(dialect.name.rawValue)"])
        return true
    }

    private static func factor(
        _ pin: borrowing Pin, _ prover: Prover, in call: StaticString
    ) throws(MPinError) -> PinFactor {
        do { return try PinFactor(pin, read: prover.pinReading) } catch {
            throw MPinError(.cryptography, detail: "\(call): no proof can be made: \(error)")
        }
    }

    private func prove(
        _ key: IdentityKey, _ dialect: any Dialect, _ prover: Prover, _ factor: borrowing PinFactor,
        _ target: AuthenticationTarget, _ started: StartedAuthentication?, in call: StaticString
    ) async throws(MPinError) -> LoginReply {
        let attempt: AuthenticationAttempt
        do {
            let pass1 =
                try started?.takePass1(of: prover.identity) ?? PreparedAttempt(identity: prover.identity, permit: nil)
            attempt = try pass1.completed(token: prover.token, pin: factor)
        } catch {
            throw MPinError(.cryptography, detail: "\(call): no proof can be made: \(error)")
        }
        do {
            return try await run(
                AuthenticationFlow(dialect: dialect, prover: prover, target: target, attempt: attempt),
                namedBy: dialect.backend.origin)
        } catch {
            throw error.isFinalRefusal ? await block(key, because: error) : error
        }
    }
}
