// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues
import MPinCrypto

/// The purpose of one proof. The caller has reserved the identity.
struct ProofPurpose {
    let key: IdentityKey
    let dialect: any Dialect
    let target: AuthenticationTarget
    var permit: TimePermit?
    /// The call that errors name.
    let call: StaticString

    init(
        of key: IdentityKey, _ dialect: any Dialect, for target: AuthenticationTarget, permit: TimePermit? = nil,
        in call: StaticString
    ) {
        (self.key, self.dialect, self.target, self.permit, self.call) = (key, dialect, target, permit, call)
    }
}

extension MPin {
    /// Proves that the person knows the PIN. If the server gives a new secret, takes it and proves once more.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` for an identity without a credential, ``MPinError/Kind/pinLength(_:)`` for
    ///   a PIN of another length than its own.
    func prove(_ pin: borrowing Pin, _ purpose: ProofPurpose) async throws(MPinError) -> LoginReply {
        let (key, target, call) = (purpose.key, purpose.target, purpose.call)
        guard let prover = identities[key]?.prover(for: target) else {
            throw MPinError(.misuse, detail: "\(call): this identity cannot do that")
        }
        if type(of: purpose.dialect).checksPINLength, let length = prover.pinLength {
            try MPin.require(pin, toHave: length, in: call)
        }
        let reply = try await prove(pin, as: prover, purpose)
        guard let renewal = reply.renewal else { return reply }
        // A guest's new secret would be lost with its memory, and the person's card would be invalid.
        guard guests[key] == nil else { return reply }
        guard await takeNewSecret(renewal, pin, purpose) else { return reply }
        guard let renewed = identities[key]?.prover(for: target) else { return reply }
        do throws(MPinError) {
            var last = try await prove(pin, as: renewed, purpose)
            // The first proof has already reset the server's count of them.
            last.wrongPINs = last.wrongPINs ?? reply.wrongPINs
            return last
        } catch {
            // The server accepted the first proof; only it knows whether the session was logged in.
            throw error.withUnknownOutcome()
        }
    }

    /// Takes the new secret that the server gives, without using it yet.
    ///
    /// - Returns: whether it was taken. The login succeeded in any case: otherwise the old secret stays, and is
    ///   renewed at the next login if the server still asks for it.
    @discardableResult
    func takeNewSecret(_ renewal: SecretRenewal, _ pin: borrowing Pin, _ purpose: ProofPurpose) async -> Bool {
        do throws(MPinError) {
            try await renew(renewal, pin, purpose)
        } catch {
            logger.warning("a secret was not renewed", metadata: ["cause": "\(error.detail)"])
            return false
        }
        logger.info("a secret was renewed", metadata: ["dialect": "\(purpose.dialect.name.rawValue)"])
        return true
    }

    private func prove(
        _ pin: borrowing Pin, as prover: Prover, _ purpose: ProofPurpose
    ) async throws(MPinError) -> LoginReply {
        let attempt: AuthenticationAttempt
        do {
            attempt = try AuthenticationAttempt(
                identity: prover.identity, token: prover.token, pin: PinFactor(pin), permit: purpose.permit)
        } catch {
            throw MPinError(.cryptography, detail: "\(purpose.call): no proof can be made: \(error)")
        }
        let (key, dialect) = (purpose.key, purpose.dialect)
        do {
            let reply = try await run(
                AuthenticationFlow(
                    dialect: dialect, prover: prover, target: purpose.target, attempt: attempt,
                    card: guests[key]?.card),
                namedBy: dialect.backend.origin)
            await unblock(key)
            return reply
        } catch {
            throw await blockIfFinal(key, because: error)
        }
    }
}
