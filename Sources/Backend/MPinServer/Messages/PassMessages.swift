// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import MPinCrypto

// The two passes in the classic dialects. docs/protocol/milagro.md, section 7.1.

package struct PassOneRequest: Sendable {
    let mpinID: MPinID
    let commitment: [UInt8]
    /// Nil without time permits.
    let permittedCommitment: [UInt8]?

    /// - Throws: `Refusal` 403 for a missing or malformed field, and for an invalid point.
    package init(_ body: JSONObject, in dialect: Dialect) throws(Refusal) {
        mpinID = try body.mpinIDOfPass()
        commitment = try body.pointOfPass("U")
        if dialect.usesTimePermits {
            permittedCommitment = try body.pointOfPass("UT")
        } else {
            // Clients send the field even without permits.
            guard body.string("UT") != nil else { throw .invalidPass("UT argument missing") }
            permittedCommitment = nil
        }
    }
}

package struct PassOneReply: Sendable {
    let challenge: Challenge

    package var json: JSONObject {
        JSONObject([
            "pass": 1, "y": .string(Hexadecimal.text(challenge.bytes)), "message": "OK",
            "version": .string(ProtocolVersion.current),
            "cardTimes": true,
        ])
    }
}

package struct PassTwoRequest: Sendable {
    let mpinID: MPinID
    let response: [UInt8]
    /// The browser session's access code; nil for a plain login.
    let accessCode: String?
    let wantsOneTimePassword: Bool

    /// - Throws: `Refusal` 403 for a missing or malformed field, and for an invalid point.
    package init(_ body: JSONObject) throws(Refusal) {
        mpinID = try body.mpinIDOfPass()
        response = try body.pointOfPass("V")
        guard let accessCode = body.string("WID") else { throw .invalidPass("WID argument missing") }
        self.accessCode = accessCode == "0" ? nil : accessCode
        wantsOneTimePassword = body.flag("OTP") == true
    }
}

package struct PassTwoReply: Sendable {
    let authOTT: OneTimeToken
    let oneTimePassword: String?

    package var json: JSONObject {
        var reply: [String: JSONValue] = [
            "pass": 2, "authOTT": .string(authOTT.hex), "version": .string(ProtocolVersion.current),
            "cardTimes": true,
        ]
        if let oneTimePassword { reply["OTP"] = .string(oneTimePassword) }
        return JSONObject(reply)
    }
}

extension JSONObject {
    fileprivate func mpinIDOfPass() throws(Refusal) -> MPinID {
        guard let hex = string("mpin_id") else { throw .invalidPass("mpin_id argument missing") }
        guard let bytes = Hexadecimal.bytes(hex), !bytes.isEmpty else { throw .invalidPass("mpin_id is not hex") }
        return MPinID(bytes)
    }

    fileprivate func pointOfPass(_ name: String) throws(Refusal) -> [UInt8] {
        guard let hex = string(name) else { throw .invalidPass("\(name) argument missing") }
        guard let bytes = Hexadecimal.bytes(hex), ServerSecret.isPoint(bytes) else {
            throw .invalidPass("\(name) is not a point")
        }
        return bytes
    }
}
