// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
package import MPinCrypto

// Registration in the classic dialects. docs/protocol/milagro.md, sections 6.1, 11.1 and 11.3.

/// `PUT /user` and `PUT /user/{mpin_id_hex}`.
package struct RegistrationRequest: Sendable {
    package let userID: String
    /// 1 for an app or device, 0 for a browser.
    let mobile: Int64
    /// The mpin_id of a registration that the client continues, and its regOTT.
    let restarting: MPinID?
    let regOTT: OneTimeToken?
    /// The browser session of the registration.
    let accessCode: String?

    /// - Throws: `Refusal` 400 for an invalid user id.
    package init(_ body: JSONObject, restarting mpinID: MPinID? = nil) throws(Refusal) {
        do throws(UserID.Problem) { userID = try UserID(registering: body.string("userId") ?? "").text } catch {
            throw Refusal(400, "BAD REQUEST. INVALID USERID: \(error)")
        }
        mobile = body.flag("mobile") == true ? 1 : 0
        restarting = mpinID
        regOTT = body.string("regOTT").flatMap { OneTimeToken($0) }
        accessCode = body.string("wid")
    }
}

package struct RegistrationReply: Sendable {
    let mpinID: MPinID
    let regOTT: OneTimeToken
    let isActive: Bool
    let now: WallTime
    let expires: WallTime
    /// The customer of the first platform, which writes times as numbers; nil elsewhere.
    let customer: Customer?

    struct Customer: Sendable { let companyID: String, appID: String }

    package var json: JSONObject {
        var reply: [String: JSONValue] = [
            "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "regOTT": .string(regOTT.hex),
            "active": .boolean(isActive),
        ]
        if let customer {
            reply["expireTime"] = .integer(expires.seconds)
            reply["nowTime"] = .integer(now.seconds)
            reply["customerId"] = .string(customer.companyID)
            reply["appId"] = .string(customer.appID)
        } else {
            reply["expireTime"] = .string(expires.zonelessText)
            reply["nowTime"] = .string(now.zonelessText)
        }
        return JSONObject(reply)
    }
}

/// Half of the client secret.
package struct ClientSecretShareReply: Sendable {
    let share: ClientSecretShare
    /// The query that fetches the other half.
    package let query: String

    package var json: JSONObject {
        JSONObject([
            "clientSecretShare": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "params": .string(query),
        ])
    }
}

/// Half of the time permit of a day.
package struct TimePermitShareReply: Sendable {
    let share: TimePermitShare
    let day: EpochDay
    /// The signature that fetches the other half.
    let signature: String
    let identity: HashedIdentity

    package var json: JSONObject {
        JSONObject([
            "timePermit": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }),
            "date": .integer(Int64(day.value)), "signature": .string(signature),
            "storageId": .string(Hexadecimal.text(identity.bytes)), "message": "M-Pin Time Permit Generated",
            "version": .string(ProtocolVersion.current),
        ])
    }
}
