// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

// Identities for signing of the dialect mfa-v2, each with a PIN of its own (docs/protocol/miracl.md, section 12.1). In
// the trust dialects every registered identity can sign.
extension MPin {
    /// Logs in with the identity's PIN for the right to register a key for signing, and fetches the shares of its
    /// secret. They stay in memory until ``finishRegistrationDVS(of:pinDVS:nfc:)`` or ``forgetShares(of:)``.
    ///
    /// - Parameters:
    ///   - user: a registered identity. One that can already sign gets another key.
    ///   - pin: the identity's PIN; nil when the person gave none.
    ///   - pin1: there is no second factor.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` in dialects
    ///   without separate signing identities and at backends that offer none; ``MPinError/Kind/badReply`` when the
    ///   login was accepted and brought no token.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func startRegistrationDVS(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil
    ) async throws(MPinError) {
        let (dialect, key) = try begin(.startRegistrationDVS, of: user)
        defer { end(key) }
        try dialect.require(.dvsRegistration, in: "startRegistrationDVS")
        let pin = try MPin.required(pin, in: "startRegistrationDVS")
        try await prepareToSave(key)
        work[key].shares.signingSecret = nil
        let reply = try await prove(
            pin, ProofPurpose(of: key, dialect, for: .dvsRegistration, in: "startRegistrationDVS"))
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
            throw await blockIfFinal(key, because: error)
        }
        try requireWanted(key, in: "startRegistrationDVS")
        work[key].shares.signingSecret = SigningSecret(secret: secret, publicKey: publicKey)
    }

    /// Makes the token for signing from the shares and the person's new PIN, and stores it. Makes no request.
    ///
    /// - Parameters:
    ///   - user: an identity that ``startRegistrationDVS(of:pin:pin1:)`` was called for.
    ///   - pinDVS: the PIN for signing, which may differ from the identity's; nil when the person chose none.
    ///   - nfc: there is no second factor.
    /// - Returns: the identity, which can sign now.
    /// - Throws: ``MPinError/Kind/misuse`` without shares; ``MPinError/Kind/noPIN`` without a PIN;
    ///   ``MPinError/Kind/unusablePIN`` for a PIN of zeros; ``MPinError/Kind/storage(_:)``. The shares stay for
    ///   another try.
    public func finishRegistrationDVS(
        of user: User, pinDVS: consuming Pin?, nfc: SecondFactor? = nil
    ) async throws(MPinError) -> User {
        let (_, key) = try begin(.finishRegistrationDVS, of: user)
        defer { end(key) }
        guard let signing = work[key].shares.signingSecret, var record = identities[key],
            var credential = record.credential
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
            dtas: signing.secret.dtas ?? "", pinLength: pin.length)
        record.phase = .registered(credential)
        try await save(record, for: key)
        work[key].shares.signingSecret = nil
        return snapshot(of: key) ?? user
    }
}

// Signing (docs/protocol/miracl.md, section 12). The server checks the PIN first: a signature with a wrong PIN would be
// worthless, and would let somebody guess the PIN.
extension MPin {
    /// Signs the digest of a document.
    ///
    /// - Parameters:
    ///   - documentHash: the SHA-256 digest, 32 bytes, or its 64 hexadecimal digits as ASCII.
    ///   - user: an identity that can sign: ``User/canSign``.
    ///   - pin: the PIN for signing, if it has its own, else the identity's; nil when the person gave none.
    ///   - pin1: there is no second factor.
    ///   - timestamp: the time of signing from the relying party, in seconds since 1970-01-01 UTC; nil takes the
    ///     device's clock.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/misuse`` also for a digest of
    ///   another length and for an identity that cannot sign; ``MPinError/Kind/cryptography`` for an invalid time.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func sign(
        documentHash: [UInt8], as user: User, pin: consuming Pin?, pin1: SecondFactor? = nil, timestamp: UInt32? = nil
    ) async throws(MPinError) -> DVSSignature {
        let (dialect, key) = try begin(.sign, of: user)
        defer { end(key) }
        return try await sign(documentHash, pin, at: timestamp, as: key, dialect)
    }

    /// Signs the document of a signing session, and hands the signature in.
    ///
    /// - Parameters:
    ///   - session: from ``signingSessionDetails(for:)``.
    ///   - user: an identity of the session's backend.
    ///   - pin: nil when the person gave none.
    /// - Returns: the signature, which the session has received.
    /// - Throws: as ``sign(documentHash:as:pin:pin1:timestamp:)``, and errors of the submission.
    ///   ``MPinError/Kind/outcomeUnknown`` when the signature may have arrived.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func sign(
        _ session: SigningSession, as user: User, pin: consuming Pin?
    ) async throws(MPinError) -> DVSSignature {
        let (dialect, key) = try begin(.sign, of: user)
        defer { end(key) }
        guard !session.isSigned else {
            throw MPinError(.misuse, detail: "sign: the session was signed already")
        }
        guard let channelDialect = dialect as? any TrustDialect else { throw dialect.absent("sign") }
        let signature = try await sign(Array(session.hash.utf8), pin, at: nil, as: key, dialect)
        let submission = SignatureSubmissionFlow(exchange: channelDialect.complete(session, with: signature))
        do { try await run(submission, namedBy: dialect.backend.origin) } catch {
            throw await blockIfFinal(key, because: error)
        }
        return signature
    }

    private func sign(
        _ documentHash: [UInt8], _ pin: consuming Pin?, at timestamp: UInt32?, as key: IdentityKey,
        _ dialect: any Dialect
    ) async throws(MPinError) -> DVSSignature {
        try dialect.require(.signing, in: "sign")
        guard let digest = MPin.digest(documentHash) else {
            throw MPinError(
                .misuse,
                detail: "sign: a digest has 32 bytes or 64 hexadecimal digits; hash the document first")
        }
        guard identities[key]?.canSign == true else {
            throw MPinError(.misuse, detail: "sign: this identity cannot sign; register a key for it first")
        }
        let pin = try MPin.required(pin, in: "sign")
        _ = try await prove(pin, ProofPurpose(of: key, dialect, for: .signing, in: "sign"))
        // Read again: the PIN check may have brought a new secret.
        guard let prover = identities[key]?.prover(for: .signing), let publicKey = prover.identity.publicKey else {
            throw MPinError(.misuse, detail: "sign: this identity cannot sign any more")
        }
        do {
            let time = try Timestamp(timestamp ?? UInt32(clamping: wallClock()))
            let factor = try PinFactor(pin)
            let signature = try prover.token.sign(
                documentHash: digest, identity: prover.identity, pin: factor, timestamp: time)
            return DVSSignature(signature, of: digest, by: prover, publicKey: publicKey)
        } catch {
            throw MPinError(.cryptography, detail: "sign: no signature can be made: \(error)")
        }
    }

    /// Asks the server for the details of a signing session. Its code is scanned like a login code.
    ///
    /// - Throws: ``MPinError/Kind/sessionExpired`` when the code is for something else; ``MPinError/Kind/notOffered``
    ///   where the dialect has no signing sessions.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func signingSessionDetails(for code: AccessCode) async throws(MPinError) -> SigningSession {
        let dialect = try requireBackend("signingSessionDetails").dialect()
        guard let dialect = dialect as? any TrustDialect else { throw dialect.absent("signingSessionDetails") }
        return try await run(
            SigningSessionFlow(dialect: dialect, accessCode: code), namedBy: dialect.backend.origin)
    }

    /// Tells the server that the person refuses to sign.
    public func abortSigningSession(_ session: SigningSession) async throws(MPinError) {
        let dialect = try requireBackend("abortSigningSession").dialect()
        guard let dialect = dialect as? any TrustDialect else { throw dialect.absent("abortSigningSession") }
        try await run(dialect.abortSigningSession(session), namedBy: dialect.backend.origin)
    }
}
