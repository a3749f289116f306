// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import MPinCrypto

/// The reply of `POST /rps/v2/authenticate`, for each purpose of a login. docs/protocol/miracl.md, sections 9.4, 11 and
/// 13.
package struct PlatformLoginReply: Sendable {
    /// The code with which the relying party's server learns who logged in. Clients before 2023 expect the field and
    /// find it empty if they wanted no code.
    var code: String?
    /// A code that the person types elsewhere: a one-time password, or a code that registers another device.
    var typedCode: TypedCode?
    /// A web token.
    var webToken: String?
    /// The offer of a new key.
    var keyOffer: NewKeyOffer?
    var newSecret: NewSecret?
    /// Nil when there were none since the previous login.
    var wrongPINs: WrongPINs?

    package var json: JSONObject {
        var reply: [String: JSONValue] = ["status": 200, "message": "OK"]
        if let code { reply["code"] = .string(code) }
        if let typedCode { reply.merge(typedCode.members) { $1 } }
        if let webToken { reply["jwt"] = .string(webToken) }
        if let keyOffer { reply["dvsRegister"] = .object(keyOffer.json.members) }
        if let newSecret { reply["renewSecret"] = .object(newSecret.json.members) }
        if let wrongPINs { reply.merge(wrongPINs.members) { $1 } }
        return JSONObject(reply)
    }
}

struct TypedCode: Sendable {
    let code: String
    let times: CodeTimes

    /// The code under both names, because no source shows which one the platform used.
    var members: [String: JSONValue] { times.members.merging(["OTP": .string(code), "otp": .string(code)]) { $1 } }
}

/// The offer that a device may take a new key. docs/protocol/miracl.md, section 13.
package struct NewKeyOffer: Sendable {
    package let token: OneTimeToken

    package var json: JSONObject { JSONObject(["token": .string(token.hex), "curve": .string(Platform.curve)]) }
}

/// A new secret for the same user, under a new mpin_id. docs/protocol/miracl.md, section 13.
struct NewSecret: Sendable {
    let mpinID: MPinID
    let share: FirstShare

    var json: JSONObject {
        JSONObject(share.loginJSON.members.merging(["mpin_id": .string(Hexadecimal.text(mpinID.bytes))]) { $1 })
    }
}
