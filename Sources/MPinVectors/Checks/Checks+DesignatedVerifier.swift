// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension Checks {
    static func designatedVerifierTwoPass(_ fields: VectorCase) throws {
        let identity = try designatedVerifierIdentity(fields)
        let (token, server) = try designatedVerifierSecrets(fields, identity: identity)
        let challenge = try challenge(fields)
        let commitment = try respond(fields, identity: identity, token: token, permit: nil, challenge: challenge)

        // What the server believes about the identity may differ from what the client is.
        let key = try fields.bytesOrNull("server_public_key_used").map { (bytes) throws in
            try DVSPublicKey(bytes: bytes)
        }
        let point = try fields.bytes("server_hid_used")
        let verdict = server.verify(
            identityPoint: point, publicKey: key, commitment: commitment.u, challenge: challenge,
            response: try fields.bytes("v"))
        try fields.expectVerdict("server", verdict)
        if key == identity.publicKey, try point == fields.bytes("hid") {
            let byIdentity = server.verify(
                identity: identity, commitment: commitment.u, ut: nil, day: nil, challenge: challenge,
                response: try fields.bytes("v"))
            try fields.expectVerdict("server", byIdentity)
        }
        try fields.expectPinError()
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

    /// Whether the (possibly tampered) signature holds.
    private static func isValid(_ input: VectorCase, server: ServerSecret) throws -> Bool {
        let timestamp = try Timestamp(input.unsigned("timestamp"))
        let u = try input.bytes("u")
        let v = try input.bytes("v")
        let message = try input.bytes("message")
        try input.expect("y", timedChallenge(timestamp.value, commitment: u, message: message))
        let hashedInput = try input.bytes("hashed_id_input")
        let keyBytes = try input.bytes("public_key")
        let point = try KnownAnswers.map(KnownAnswers.sha256(hashedInput)).point
        guard let key = try? DVSPublicKey(bytes: keyBytes) else { return false }
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
