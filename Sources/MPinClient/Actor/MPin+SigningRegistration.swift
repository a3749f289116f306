// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

// Identities for signing of the dialect mfa-v2, each with a PIN of its own (MIRACL protocol, section 12.1). In the
// trust dialects every identity can sign from its registration on.
extension MPin {
    /// Logs in with the identity's PIN for the right to register a key for signing, and fetches the shares of its
    /// secret. They stay in memory until ``finishRegistrationDVS(of:pinDVS:nfc:)`` or ``forgetShares(of:)``.
    ///
    /// - Parameters:
    ///   - user: a registered identity. One that can sign already gets another key.
    ///   - pin: of the identity; nil when the person gave none.
    ///   - pin1: there is no second factor.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` where identities
    ///   need no other one for signing or the backend has none; ``MPinError/Kind/badReply`` when the login was accepted
    ///   and brought nothing.
    public func startRegistrationDVS(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil
    ) async throws(MPinError) {
        let (dialect, key) = try await beginWithNewest(.startRegistrationDVS, of: user)
        defer { end(key) }
        try dialect.require(.dvsRegistration, in: "startRegistrationDVS")
        let pin = try MPin.required(pin, in: "startRegistrationDVS")
        try await prepareToSave(key)
        work[key].signingSecret = nil
        let reply = try await prove(key, dialect, pin, .dvsRegistration, begunBy: nil, in: "startRegistrationDVS")
        guard let token = reply.dvsToken else {
            throw MPinError(
                .badReply,
                detail:
                    "startRegistrationDVS: the login was accepted, but the backend gives no right to register a key",
                httpStatus: 200)
        }
        let secret: SecretFlow.Outcome
        let publicKey: DVSPublicKey
        do { (secret, publicKey) = try await registerKey(key, dialect, token, in: "startRegistrationDVS") } catch {
            throw error.isFinalRefusal ? await block(key, because: error) : error
        }
        guard !work[key].sharesAreUnwanted else {
            throw MPinError(
                .registrationGone, status: .flowError,
                detail: "startRegistrationDVS: the shares were forgotten while they were fetched")
        }
        work[key].signingSecret = SigningSecret(secret: secret, publicKey: publicKey)
    }

    /// Makes the token for signing from the shares and the person's new PIN, and stores it. Makes no request.
    ///
    /// - Parameters:
    ///   - user: an identity that ``startRegistrationDVS(of:pin:pin1:)`` was called for.
    ///   - pinDVS: the PIN for signing, which may be another one than the identity's; nil when the person chose none.
    ///   - nfc: there is no second factor.
    /// - Returns: the identity, which can sign now.
    /// - Throws: ``MPinError/Kind/misuse`` without shares; ``MPinError/Kind/noPIN`` without a PIN;
    ///   ``MPinError/Kind/unusablePIN`` for a PIN of zeros; ``MPinError/Kind/storage(_:)``. The shares stay then, for
    ///   another try.
    public func finishRegistrationDVS(
        of user: User, pinDVS: consuming Pin?, nfc: SecondFactor? = nil
    ) async throws(MPinError) -> User {
        let (_, key) = try begin(.finishRegistrationDVS, of: user)
        defer { end(key) }
        guard let signing = work[key].signingSecret, var record = identities[key], var credential = record.credential
        else {
            throw MPinError(
                .misuse,
                detail: "finishRegistrationDVS: there are no secret shares; start the registration of the key first")
        }
        let pin = try MPin.required(pinDVS, in: "finishRegistrationDVS")
        let identity = MPinIdentity(signing.secret.mpinID, publicKey: signing.publicKey)
        credential.signing = IdentityRecord.SigningCredential(
            mpinID: signing.secret.mpinID, publicKey: signing.publicKey,
            token: try MPin.token(
                from: signing.secret.secret, for: identity, newPIN: pin, length: nil, in: "finishRegistrationDVS"),
            dtas: signing.secret.dtas ?? "", pinReading: .decimal, pinLength: pin.length)
        record.phase = .registered(credential)
        try await save(record, for: key)
        work[key].signingSecret = nil
        return snapshot(of: key) ?? user
    }
}
