// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension Checks {
    static func malformedPoint(_ fields: VectorCase) throws {
        let encoding = try fields.bytes("encoding")
        let group = try fields.string("group")
        var refusal: MPinCryptoError?
        do throws(MPinCryptoError) {
            switch group {
            case "G1": try KnownAnswers.checkG1(encoding)
            case "G2": try KnownAnswers.checkG2(encoding)
            default: refusal = nil
            }
        } catch {
            refusal = error
        }
        guard group == "G1" || group == "G2" else { throw VectorError("group: neither G1 nor G2") }
        try fields.expectVerdict("expected", accepted: refusal == nil)
    }

    static func malformedProtocol(_ fields: VectorCase) throws {
        let identity = try designatedVerifierIdentity(fields)
        let (_, server) = try designatedVerifierSecrets(fields, identity: identity)
        try fields.expectVerdict("expected", accepted: accepts(fields, server: server))
    }

    /// Whether the server accepts the hostile message. The key is that of the identity in the message.
    private static func accepts(_ fields: VectorCase, server: ServerSecret) throws -> Bool {
        let mpinID = MPinID(try fields.bytes("mpin_id"))
        let key = try fields.bytes("server_public_key_used")
        let y = try fields.bytes("y")
        let u = try fields.bytes("u")
        let v = try fields.bytes("v")
        let point = try fields.bytes("hid")
        do throws(MPinCryptoError) {
            let key = try DVSPublicKey(bytes: key)
            let challenge = try Challenge(bytes: y)
            let byIdentity = server.verify(
                TwoPassProof(
                    identity: MPinIdentity(mpinID, publicKey: key), commitment: u, ut: nil, day: nil,
                    challenge: challenge, response: v))
            let byPoint = server.verify(
                identityPoint: point, publicKey: key, commitment: u, challenge: challenge, response: v)
            return byIdentity == .accepted && byPoint == .accepted
        } catch {
            return false
        }
    }
}
