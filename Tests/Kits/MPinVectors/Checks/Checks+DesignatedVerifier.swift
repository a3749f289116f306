// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension Checks {
    static func designatedVerifierTwoPass(_ fields: VectorCase) throws {
        let identity = try designatedVerifierIdentity(fields)
        let (token, server) = try designatedVerifierSecrets(fields, identity: identity)
        let challenge = try challenge(fields)
        let commitment = try respond(fields, identity: identity, token: token, permit: nil, challenge: challenge)

        let v = try fields.bytes("v")
        try fields.expectVerdict("server", serverVerdict(fields, server, commitment.u, challenge, v))
        let proof = TwoPassProof(
            identity: identity, commitment: commitment.u, ut: nil, day: nil, challenge: challenge, response: v)
        if try fields.bytesOrNull("server_public_key_used") == identity.publicKey?.bytes,
            try fields.bytes("server_hid_used") == fields.bytes("hid")
        {
            try fields.expectVerdict("server", of: proof, by: server)
        }
        try fields.expectPinError(of: proof, by: server)
    }

    /// The verdict of a server that may use another identity than the client.
    private static func serverVerdict(
        _ fields: VectorCase, _ server: ServerSecret, _ u: [UInt8], _ challenge: Challenge, _ v: [UInt8]
    ) throws -> VerificationResult {
        let keyBytes = try fields.bytesOrNull("server_public_key_used")
        let point = try fields.bytes("server_hid_used")
        do throws(MPinCryptoError) {
            var key: DVSPublicKey?
            if let keyBytes { key = try DVSPublicKey(bytes: keyBytes) }
            return server.verify(identityPoint: point, publicKey: key, commitment: u, challenge: challenge, response: v)
        } catch {
            return .malformed(error)
        }
    }

    static func signature(_ fields: VectorCase) throws {
        let identity = try designatedVerifierIdentity(fields)
        let (token, server) = try designatedVerifierSecrets(fields, identity: identity)
        let timestamp = try Timestamp(fields.unsigned("timestamp"))
        let message = try fields.bytes("message")
        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: PinFactor(number: fields.pinNumber("pin_entered")), permit: nil,
            ephemeral: fields.bytes("x"))
        let signature = try DocumentSignature.make(from: attempt, message: message, timestamp: timestamp)
        try fields.expect("u", signature.u)
        try fields.expect("v", signature.v)
        try fields.expect("y", timedChallenge(timestamp.value, commitment: signature.u, message: message))
        try fields.expectVerdict("result", accepted: isValid(fields.object("verify"), server: server))
    }

    /// Whether the signature, which may be altered, is valid.
    private static func isValid(_ input: VectorCase, server: ServerSecret) throws -> Bool {
        let time = try input.unsigned("timestamp")
        let u = try input.bytes("u")
        let v = try input.bytes("v")
        let message = try input.bytes("message")
        try input.expect("y", timedChallenge(time, commitment: u, message: message))
        let hashedInput = try input.bytes("hashed_id_input")
        let keyBytes = try input.bytes("public_key")
        let point = try KnownAnswers.map(KnownAnswers.sha256(hashedInput)).point
        guard let key = try? DVSPublicKey(bytes: keyBytes), let timestamp = try? Timestamp(time) else { return false }
        let challenge = try Challenge(time: timestamp, commitment: u, message: message)
        let verdict = server.verify(
            identityPoint: point, publicKey: key, commitment: u, challenge: challenge, response: v)
        if message.count == 32, Array(hashedInput.suffix(keyBytes.count)) == keyBytes {
            let byDocument = server.verify(
                signature: DocumentSignature(u: u, v: v, timestamp: timestamp), documentHash: message,
                identity: MPinIdentity(MPinID(hashedInput.dropLast(keyBytes.count)), publicKey: key))
            guard byDocument == verdict else {
                throw VectorError("verify: \(verdict) by point, \(byDocument) by identity")
            }
        }
        return verdict == .accepted
    }

    static func onePass(_ fields: VectorCase) throws {
        let identity = MPinIdentity(MPinID(try fields.bytes("id")))
        let server = try serverSecret(fields)
        let (firstShare, secondShare) = try clientSecretShares(fields, identity: identity)
        let secret = try ClientSecret(combining: firstShare, secondShare)
        let token = try token(fields, pin: "pin", from: secret, for: identity)
        let day = try fields.unsigned("date") == 0 ? nil : EpochDay(fields.unsigned("date"))
        var permit: TimePermit?
        if let day {
            permit = try TimePermit(
                combining: MasterSecret(bytes: fields.bytes("master_share_1")).timePermitShare(
                    for: identity.hashed, on: day),
                MasterSecret(bytes: fields.bytes("master_share_2")).timePermitShare(for: identity.hashed, on: day),
                day: day)
        }
        try fields.expect("time_permit", orNull: permit?.withBytes(copied))
        let timestamp = try Timestamp(fields.unsigned("timestamp"))
        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: PinFactor(number: fields.pinNumber("pin")), permit: permit,
            ephemeral: fields.bytes("x"))
        let proof = try OnePassProof.make(from: attempt, timestamp: timestamp)
        try fields.expect("u", proof.u)
        try fields.expect("ut", orNull: proof.ut)
        try fields.expect("v", proof.v)
        try fields.expect("y", timedChallenge(timestamp.value, commitment: proof.ut ?? proof.u, message: []))
        try fields.expectVerdict("server", server.verify(onePass: proof, identity: identity, day: day))
    }

    /// The 32 bytes of SHA-256(be32(time) || commitment || message) modulo r.
    private static func timedChallenge(_ time: UInt32, commitment: [UInt8], message: [UInt8]) throws -> [UInt8] {
        try KnownAnswers.reducedModuloR(KnownAnswers.sha256(prefix: time, commitment + message))
    }

    /// The identity of a case with a designated-verifier key, compared with its parts.
    static func designatedVerifierIdentity(_ fields: VectorCase) throws -> MPinIdentity {
        let publicKey = try DVSPrivateKey(bytes: fields.bytes("private_key")).publicKey
        try fields.expect("public_key", publicKey.bytes)
        let mpinID = try fields.bytes("mpin_id")
        try fields.expect("hashed_id_input", mpinID + publicKey.bytes)
        let identity = MPinIdentity(MPinID(mpinID), publicKey: publicKey)
        try fields.expect("hash", identity.hashed.bytes)
        try fields.expect("hid", KnownAnswers.map(identity.hashed.bytes).point)
        return identity
    }

    /// Token and server secret of a case with a designated-verifier key, compared with the steps towards them.
    static func designatedVerifierSecrets(
        _ fields: VectorCase, identity: MPinIdentity
    ) throws -> (Token, ServerSecret) {
        let (first, second) = try clientSecretShares(fields, identity: identity)
        try fields.expect("client_secret_share_1", first.withBytes(copied))
        try fields.expect("client_secret_share_2", second.withBytes(copied))
        try fields.expect("combined_shares", ClientSecret(combining: first, second).withBytes(copied))
        let secret = try ClientSecret(
            combining: first, second, dvsKey: DVSPrivateKey(bytes: fields.bytes("private_key")))
        try fields.expect("client_secret", secret.withBytes(copied))
        return (
            try token(fields, pin: "pin_registered", from: secret, for: identity), try serverSecret(fields)
        )
    }
}
