// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

// Changes the PIN of a registered identity. The server never knew the PIN: it only checks the old one, and the device
// then splits the secret again.
extension MPin {
    /// Changes the PIN of an identity: asks the server to check the old one, computes the new token from the old
    /// token, and replaces it in one save. At any moment exactly one of the two PINs works. A signing key with its own
    /// PIN keeps it (``User/signingPINLength``).
    ///
    /// - Parameters:
    ///   - user: an identity that ``startAuthentication(of:accessCode:)`` was called for.
    ///   - old: the current PIN; nil when the person gave none.
    ///   - new: the future PIN; nil when the person chose none.
    /// - Returns: the identity with the new PIN.
    /// - Throws: before any request, so that the server counts nothing: ``MPinError/Kind/samePIN``,
    ///   ``MPinError/Kind/unusablePIN`` for a new PIN of zeros, ``MPinError/Kind/pinLength(_:)`` in the later dialects
    ///   for a PIN of another length than the identity's, ``MPinError/Kind/noPIN``, ``MPinError/Kind/misuse`` when the
    ///   authentication was not started, ``MPinError/Kind/storage(_:)`` when the store has no room. Then as
    ///   ``finishAuthentication(of:pin:pin1:accessCode:)``: a wrong old PIN counts at the server.
    ///   ``MPinError/Kind/storage(_:)`` also when the new token could not be saved. After every error the old PIN
    ///   works, also when ``MPinError/outcomeIsUnknown``: then only the server's count is unknown. After a wrong PIN
    ///   another try needs no new start.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func changePIN(
        of user: User, from old: consuming Pin?, to new: consuming Pin?
    ) async throws(MPinError) -> User {
        let (dialect, key) = try begin(.changePIN, of: user)
        defer { end(key) }
        guard let started = work[key].login.started else {
            throw MPinError(.misuse, detail: "changePIN: start the authentication of this identity first")
        }
        let old = try MPin.required(old, in: "changePIN")
        let new = try MPin.required(new, in: "changePIN")
        // Errors of the new PIN are found before the server checks the old one.
        _ = try changedRecord(of: key, dialect, from: old, to: new)
        try await prepareToSave(key)
        let check = ProofPurpose(
            of: key, dialect, for: type(of: dialect).pinCheck, permit: started.permit, in: "changePIN")
        let reply = try await prove(old, check)
        work[key].login.started = nil
        // The old key works until the guest's owner first uses the new one. A secret of `mfa-v2` cannot wait so: the
        // server makes a new one at every login.
        if guests[key] != nil, let renewal = reply.renewal, case .key = renewal {
            await takeNewSecret(renewal, old, check)
        }
        // Read again: the login may have brought a new secret.
        let record = try changedRecord(of: key, dialect, from: old, to: new)
        do throws(MPinError) { try await save(record, for: key) } catch {
            throw error.adding("; the old PIN goes on working")
        }
        return snapshot(of: key) ?? user
    }

    /// The record of the identity with the token of the new PIN.
    private func changedRecord(
        of key: IdentityKey, _ dialect: any Dialect, from old: borrowing Pin, to new: borrowing Pin
    ) throws(MPinError) -> IdentityRecord {
        guard var record = identities[key], var credential = record.credentialOrHeld else {
            throw MPinError(.misuse, detail: "changePIN: this identity has no token")
        }
        if type(of: dialect).checksPINLength { try MPin.require(new, toHave: credential.pinLength, in: "changePIN") }
        guard !new.isAllZeros else {
            throw MPinError(
                .unusablePIN,
                detail: "changePIN: a PIN of zeros would leave the secret unprotected; choose another")
        }
        let identity = MPinIdentity(record.mpinID, publicKey: credential.publicKey)
        let token: Token
        do {
            token = try Token(changing: credential.token, from: PinFactor(old), to: PinFactor(new), for: identity)
        } catch {
            throw MPinError(.cryptography, detail: "changePIN: no token can be made: \(error)")
        }
        guard token != credential.token else {
            throw MPinError(.samePIN, detail: "changePIN: the new PIN is the old one; choose another")
        }
        credential.token = token
        credential.pinLength = new.length
        record.phase = .registered(credential)
        return record
    }
}

// The cheapest request for a verdict on a PIN: a login that gives the device nothing and grants no access.
extension Dialect {
    /// This client itself, without a browser's session. The relying party's reply is ignored.
    static var pinCheck: AuthenticationTarget { .relyingParty }
}

extension TrustDialect {
    /// Today's platform has no narrower scope: docs/protocol/miracl.md, section 9.3, `dvs-auth`.
    static var pinCheck: AuthenticationTarget { .signing }
}
