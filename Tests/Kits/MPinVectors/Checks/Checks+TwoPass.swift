// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension Checks {
    static func twoPass(_ fields: VectorCase) throws {
        let identity = MPinIdentity(MPinID(try fields.bytes("id")))
        try fields.expect("hid", KnownAnswers.map(identity.hashed.bytes).point)
        let server = try serverSecret(fields)

        let (first, second) = try clientSecretShares(fields, identity: identity)
        try fields.expect("client_secret_share_1", first.withBytes(copied))
        try fields.expect("client_secret_share_2", second.withBytes(copied))
        let secret = try ClientSecret(combining: first, second)
        try fields.expect("client_secret", secret.withBytes(copied))
        let token = try token(fields, pin: "pin_registered", from: secret, for: identity)

        let challenge = try challenge(fields)
        let commitment = try respond(fields, identity: identity, token: token, permit: nil, challenge: challenge)
        let proof = TwoPassProof(
            identity: identity, commitment: commitment.u, ut: nil, day: nil, challenge: challenge,
            response: try fields.bytes("v"))
        try fields.expectVerdict("server", of: proof, by: server)
        try fields.expectPinError(of: proof, by: server)
    }

    static func timePermit(_ fields: VectorCase) throws {
        let identity = MPinIdentity(MPinID(try fields.bytes("id")))
        let hashed = identity.hashed
        try fields.expect("hid", KnownAnswers.map(hashed.bytes).point)
        let server = try serverSecret(fields)
        let (firstShare, secondShare) = try clientSecretShares(fields, identity: identity)
        let secret = try ClientSecret(combining: firstShare, secondShare)
        try fields.expect("client_secret", secret.withBytes(copied))
        let token = try token(fields, pin: "pin_registered", from: secret, for: identity)

        let clientDay = try EpochDay(fields.unsigned("date_client"))
        let serverDay = try EpochDay(fields.unsigned("date_server"))
        let dateHash = KnownAnswers.sha256(prefix: clientDay.value, hashed.bytes)
        try fields.expect("date_hash", dateHash)
        try fields.expect("date_point", KnownAnswers.map(dateHash).point)
        // The point for the server's own day, which may differ from the client's.
        let serverPoint = try KnownAnswers.map(KnownAnswers.sha256(prefix: serverDay.value, hashed.bytes)).point
        try fields.expect("htid", orInfinity: KnownAnswers.addG1(fields.bytes("hid"), serverPoint))

        let first = try MasterSecret(bytes: fields.bytes("master_share_1")).timePermitShare(for: hashed, on: clientDay)
        let second = try MasterSecret(bytes: fields.bytes("master_share_2")).timePermitShare(for: hashed, on: clientDay)
        try fields.expect("time_permit_share_1", first.withBytes(copied))
        try fields.expect("time_permit_share_2", second.withBytes(copied))
        // In some cases the client has another identity's permit.
        if try ["good", "bad_pin", "expired"].contains(fields.string("kind")) {
            let sum = try TimePermit(combining: first, second, day: clientDay)
            try fields.expect("time_permit_used", sum.withBytes(copied))
        }
        let permit = try TimePermit(bytes: fields.bytes("time_permit_used"), day: clientDay)

        let challenge = try challenge(fields)
        let commitment = try respond(fields, identity: identity, token: token, permit: permit, challenge: challenge)
        try fields.expect("ut", orNull: commitment.ut)
        let proof = TwoPassProof(
            identity: identity, commitment: commitment.u, ut: commitment.ut, day: serverDay, challenge: challenge,
            response: try fields.bytes("v"))
        try fields.expectVerdict("server", of: proof, by: server)
        try fields.expectPinError(of: proof, by: server)
    }

    /// The challenge of the case. The API must refuse 0 modulo r; the arithmetic is still compared.
    static func challenge(_ fields: VectorCase) throws -> Challenge {
        let y = try fields.bytes("y")
        guard try KnownAnswers.reducedModuloR(y).allSatisfy({ $0 == 0 }) else { return try Challenge(bytes: y) }
        guard (try? Challenge(bytes: y)) == nil else { throw VectorError("y: taken although it is 0 modulo r") }
        return try Challenge(withoutCheckingZero: y)
    }

    /// Both passes of the client, with the case's x.
    static func respond(
        _ fields: VectorCase, identity: MPinIdentity, token: Token, permit: TimePermit?, challenge: Challenge
    ) throws -> Pass1Commitment {
        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: PinFactor(number: fields.pinNumber("pin_entered")), permit: permit,
            ephemeral: fields.bytes("x"))
        try fields.expect("s", attempt.withCombinedSecret(copied))
        let commitment = attempt.commitment
        try fields.expect("u", commitment.u)
        try fields.expect("v", attempt.respond(to: challenge))
        return commitment
    }
}
