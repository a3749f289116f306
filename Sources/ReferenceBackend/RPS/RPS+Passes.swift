// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The two passes. Milagro protocol, sections 7.1 and 11.1.
extension RPS {
    /// `POST /pass1`: keeps the commitments and answers with a fresh challenge.
    /// - Throws: `Refusal` 403 for malformed data, a point that is none or an identity that was never registered here,
    ///   429 when too many logins of it were begun without a verdict, 503 when they cannot be counted.
    func pass1(_ body: JSONObject) async throws -> JSONObject {
        let mpinID = try Self.mpinID(in: body)
        let commitment = try Self.point("U", in: body)
        let permittedCommitment = try permittedCommitment(in: body)
        guard let identity = try database.lookUp({ try RegisteredIdentity.find(mpinID, in: $0) }), identity.isClassic
        else { throw Refusal.invalidPass("Unknown identity") }
        try await judge.begin(identity)
        let challenge = try Challenge.random()
        let now = clock.now
        passOneRecords.insert(
            PassOneRecord(
                commitment: commitment, permittedCommitment: permittedCommitment, challenge: challenge),
            for: mpinID, expires: now + PassOneRecord.lifetime, now: now)
        return JSONObject([
            "pass": 1, "y": .string(Hexadecimal.text(challenge.bytes)), "message": "OK",
            "version": .string(ProtocolVersion.current),
        ])
    }

    /// `POST /pass2`: keeps the proof and answers with an authOTT, for a right PIN and a wrong one alike.
    /// - Throws: `Refusal` 403 for malformed data, a point that is none, and when there is no pass 1 or it is too old.
    func pass2(_ body: JSONObject) throws -> JSONObject {
        let mpinID = try Self.mpinID(in: body)
        let response = try Self.point("V", in: body)
        guard let accessCode = body.string("WID") else { throw Refusal.invalidPass("WID argument missing") }
        let now = clock.now
        // Taken before anything else can happen: a second pass 2 on the same pass 1 finds nothing.
        guard let record = passOneRecords.remove(mpinID, now: now) else {
            throw Refusal.invalidPass("Invalid pass one data")
        }
        let proof = LoginProof(
            identity: MPinIdentity(mpinID), commitment: record.commitment,
            permittedCommitment: record.permittedCommitment,
            days: record.permittedCommitment == nil ? [nil] : try now.daysOfValidPermits,
            challenge: record.challenge, response: response)
        let otp =
            body.flag("OTP") == true
            ? String(String(1_000_000 + Int.random(in: 0..<1_000_000, using: &generator)).dropFirst()) : nil
        let authOTT = try OneTimeToken.random()
        let isPlain = accessCode == "0"
        // A code of no open session gets an authOTT all the same, which leads nowhere: 412 at the end.
        if isPlain || isOpen(session: accessCode, now: now) {
            loginTokens.insert(
                LoginToken(proof: proof, accessCode: isPlain ? nil : accessCode, otp: otp),
                for: authOTT, expires: now + LoginToken.lifetime, now: now)
        }
        var reply: [String: JSONValue] = [
            "pass": 2, "authOTT": .string(authOTT.hex), "version": .string(ProtocolVersion.current),
        ]
        if let otp { reply["OTP"] = .string(otp) }
        return JSONObject(reply)
    }

    /// Where time permits are in use nobody gets in without one; where they are not, the key is there all the same.
    private func permittedCommitment(in body: JSONObject) throws -> [UInt8]? {
        if dialect.usesTimePermits { return try Self.point("UT", in: body) }
        guard body.string("UT") != nil else { throw Refusal.invalidPass("UT argument missing") }
        return nil
    }

    private static func mpinID(in body: JSONObject) throws -> MPinID {
        guard let hex = body.string("mpin_id") else { throw Refusal.invalidPass("mpin_id argument missing") }
        guard let bytes = Hexadecimal.bytes(hex), !bytes.isEmpty else {
            throw Refusal.invalidPass("mpin_id is not hex")
        }
        return MPinID(bytes)
    }

    private static func point(_ name: String, in body: JSONObject) throws -> [UInt8] {
        guard let hex = body.string(name) else { throw Refusal.invalidPass("\(name) argument missing") }
        guard let bytes = Hexadecimal.bytes(hex), ServerSecret.isPoint(bytes) else {
            throw Refusal.invalidPass("\(name) is no point")
        }
        return bytes
    }
}
