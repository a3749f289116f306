// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

// Browser sessions of the classic dialects. docs/protocol/milagro.md, section 7.3.

/// The reply of `POST /getQrUrl` and `POST /getAccessNumber`.
package struct NewSession: Sendable {
    /// The raw values are those on the wire.
    package enum Kind: String { case picture = "qrUrl", number = "accessNumber" }

    package let kind: Kind
    /// The text of the picture, or the digits.
    package let text: String
    /// The token that the page polls with.
    package let webOTT: OneTimeToken
    package let begins: WallTime

    init(_ kind: Kind, text: String, webOTT: OneTimeToken, begins: WallTime) {
        (self.kind, self.text, self.webOTT, self.begins) = (kind, text, webOTT, begins)
    }

    /// The last time at which a device may begin.
    package var expires: WallTime { begins + LoginSession.lifetime }

    package var json: JSONObject {
        JSONObject([
            kind.rawValue: .string(text), "webOTT": .string(webOTT.hex),
            "ttlSeconds": .integer(LoginSession.lifetime.components.seconds),
            "localTimeStart": .integer(begins.milliseconds), "localTimeEnd": .integer(expires.milliseconds),
        ])
    }
}

/// `POST /access`.
package struct AccessRequest: Sendable {
    /// Nil for a malformed token, which is treated as expired.
    package let webOTT: OneTimeToken?

    /// - Throws: `Refusal` 400 without a webOTT.
    package init(_ body: JSONObject) throws(Refusal) {
        guard let text = body.string("webOTT") else { throw .invalidData }
        webOTT = OneTimeToken(text)
    }
}

package struct AccessReply: Sendable {
    let session: LoginSession
    /// The token with which the page logs its browser in, once the PIN was right.
    var authOTT: OneTimeToken?

    package var json: JSONObject {
        let status =
            switch session.status {
            case .admitted, .signed: LoginStatus.ended
            default: session.status
            }
        return JSONObject([
            "status": .string(status.rawValue), "statusCode": 0, "redirectURL": "",
            "userId": .string(status == .named ? session.userID : ""),
            "authOTT": .string(status == .proved ? authOTT?.hex ?? "" : ""),
        ])
    }
}

/// `POST /codeStatus`. Only the three statuses that a device may set are accepted, so that none can claim a login.
package struct ProgressReport: Sendable {
    let accessCode: String
    package let status: LoginStatus
    /// Empty when the device names none.
    package let userID: String

    /// - Throws: `Refusal` 400 for another status, a missing code, and an invalid user id.
    package init(_ body: JSONObject) throws(Refusal) {
        guard let accessCode = body.string("wid"),
            let status = LoginStatus(ofDevice: body)
        else { throw .invalidData }
        let named = body.string("userId") ?? ""
        guard let userID = named.isEmpty ? "" : (try? UserID(named))?.text else { throw .invalidData }
        (self.accessCode, self.status, self.userID) = (accessCode, status, userID)
    }

    package static let acknowledgement = JSONObject(["Status": "OK", "status": "OK", "message": ""])

    /// The reply to a device that read an expired code.
    package static let codeIsOld = JSONObject(acknowledgement.members.merging(["codeExpired": true]) { $1 })
}

extension LoginStatus {
    /// The status that a device reports; nil for those that no device may set.
    init?(ofDevice body: JSONObject) {
        guard let status = body.string("status").flatMap({ LoginStatus(rawValue: $0) }), status.isOpen, status != .new
        else { return nil }
        self = status
    }
}

/// The details that a device shows about the site that it logs in to.
package struct SessionDetails: Sendable {
    /// The name of the application that asks, or the site's for its own pages.
    let name: String
    let siteName: String
    let logo: String
    /// Nil where devices know no customers.
    let customerID: String?
    var browser: DeviceView?

    /// Every key under both names, because servers and SDKs never agreed on one.
    package var json: JSONObject {
        let (name, logo) = (JSONValue.string(name), JSONValue.string(logo))
        var details: [String: JSONValue] = [
            "PrerollId": "", "prerollId": "", "AppName": name, "appName": name, "AppLogoUrl": logo, "appLogoURL": logo,
        ]
        if let customerID {
            details.merge([
                "customerId": .string(customerID), "customerName": .string(siteName), "customerLogoURL": logo,
            ]) { $1 }
        }
        return JSONObject(details.merging(browser?.members ?? [:]) { $1 })
    }
}

/// Facts for a device about the browser that it logs in. Only this backend sends it, and only its clients read it.
struct DeviceView: Sendable {
    let location: BrowserLocation
    let isRefused: Bool

    /// - Parameters:
    ///   - location: nil for an unknown session.
    ///   - networks: contains the rule for browsers at another place.
    init(_ location: BrowserLocation?, of networks: NetworkPlaces) {
        self.location = location ?? .unknown
        isRefused = self.location == .other && networks.refusesOthers
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["browserLocation": .string(location.rawValue)]
        if isRefused { members["browserRefused"] = true }
        return members
    }
}

/// The reply to a client that opened a session for a device. docs/protocol/miracl.md, section 6.
package struct OpenedSession: Sendable {
    package let webOTT: OneTimeToken
    package let qrText: String
    let accessURL: String

    package var accessCode: String { qrText.split(separator: "#").last.map(String.init) ?? "" }

    package var json: JSONObject {
        JSONObject([
            "webOTT": .string(webOTT.hex), "qrURL": .string(qrText), "accessURL": .string(accessURL),
            "accessId": .string(accessCode),
        ])
    }
}
