// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

// Browsers that wait for a device of the platform. docs/protocol/miracl.md, section 6.

/// `POST /rps/v2/session`.
package struct SessionRequest: Codable, Sendable {
    /// The user that the relying party expects; empty for any user.
    var userID = ""
    /// Whether the sender proved that it is the relying party. Anybody may name a user.
    var isFromRelyingParty = false
    /// The request, in the words of the relying party. Pages cannot prove who wrote them, so their words are dropped,
    /// except for the text of a document, which the person reads and signs.
    var description = ""
    /// The hash to sign, in hexadecimal; empty for a login.
    var hash = ""
    /// The name of the application that a device logs its user in to.
    var application: String?

    /// Whether a device may believe that ``userID`` is the person in front of the page.
    var isUserVerified: Bool { !userID.isEmpty && isFromRelyingParty }

    /// Whether any of it has to be stored.
    var saysAnything: Bool { !(userID.isEmpty && description.isEmpty && hash.isEmpty && application == nil) }

    package init(application: String? = nil) { self.application = application }

    /// - Parameter typed: the user, in any spelling; empty for any user.
    /// - Throws: `PlatformRefusal` for an invalid user id.
    init(expecting typed: String) throws(PlatformRefusal) {
        guard !typed.isEmpty else { return }
        guard let known = try? UserID(typed) else { throw .invalid("userId") }
        userID = known.text
    }

    /// - Parameter isFromRelyingParty: whether the sender proved that it is the relying party.
    /// - Throws: `PlatformRefusal` for another project, an invalid user id, an invalid hash, and control characters in
    ///   the description.
    package init(_ body: JSONObject, isFromRelyingParty: Bool, of platform: Platform) throws(PlatformRefusal) {
        try self.init(
            body, isFromRelyingParty: isFromRelyingParty, of: platform, projectField: "projectId", userField: "userId")
    }

    /// `POST /dvs/session`.
    /// - Throws: `PlatformRefusal` as for a login, and for a missing hash.
    package init(signing body: JSONObject, isFromRelyingParty: Bool, of platform: Platform) throws(PlatformRefusal) {
        guard body.string("hash")?.isEmpty == false else { throw .invalid("hash") }
        try self.init(
            body, isFromRelyingParty: isFromRelyingParty, of: platform, projectField: "projectID", userField: "userID")
    }

    private init(
        _ body: JSONObject, isFromRelyingParty: Bool, of platform: Platform, projectField: String, userField: String
    ) throws(PlatformRefusal) {
        guard body.string(projectField) == platform.projectID else { throw .invalid("projectId") }
        let hash = (body.string("hash") ?? "").lowercased()
        guard hash.isEmpty || Hexadecimal.bytes(hash)?.count == 32 else { throw .invalid("hash") }
        let description = body.string("description") ?? ""
        // A document may have several lines.
        let isReadable = description.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || !hash.isEmpty && "\n\r\t".unicodeScalars.contains(scalar)
        }
        guard isReadable else { throw .invalid("description") }
        try self.init(expecting: body.string(userField) ?? "")
        self.hash = hash
        self.isFromRelyingParty = isFromRelyingParty
        self.description = isFromRelyingParty || !hash.isEmpty ? description : ""
    }
}

/// `POST /rps/v2/access`.
package struct PlatformAccessRequest: Sendable {
    /// Nil for a malformed token, which is treated as expired.
    package let webOTT: OneTimeToken?

    /// - Throws: `PlatformRefusal` without a webOTT.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        guard let text = body.string("webOTT") else { throw .invalid("webOTT") }
        webOTT = OneTimeToken(text)
    }
}

package struct PlatformAccessReply: Sendable {
    let session: LoginSession

    package var json: JSONObject {
        let status = session.status == .admitted ? .proved : session.status
        var reply: [String: JSONValue] = [
            "status": .string(status.rawValue), "statusCode": 0, "userId": .string(session.userID), "redirectURL": "",
        ]
        if let signature = session.signature { reply["signature"] = .string(signature) }
        return JSONObject(reply)
    }
}

/// `POST /rps/v2/codeStatus`. Only statuses that a device may set are accepted.
package struct PlatformProgressReport: Sendable {
    enum Event: Sendable {
        case progress(LoginStatus, userID: String)
        case signed(SubmittedSignature)
    }

    let accessID: String
    let event: Event

    /// - Throws: `PlatformRefusal` that names the missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        guard let accessID = body.string("wid") else { throw .invalid("wid") }
        self.accessID = accessID
        if body.string("status") == "signed" {
            // Base64 of the signature's JSON, which carries its timestamp.
            guard
                let signature = body.string("signature").flatMap({ Base64.bytes($0) }).flatMap({ JSONObject(body: $0) })
            else { throw .invalid("signature") }
            event = .signed(try SubmittedSignature(signature, timestamp: nil))
            return
        }
        guard let status = LoginStatus(ofDevice: body) else { throw .invalid("status") }
        let typed = body.string("userId") ?? ""
        guard let userID = typed.isEmpty ? "" : (try? UserID(typed))?.text else { throw .invalid("userId") }
        event = .progress(status, userID: userID)
    }

    package static let acknowledgement = JSONObject(["status": "OK", "message": ""])
}

/// The details that a device shows about a session of the platform.
package struct PlatformSessionDetails: Sendable {
    let session: LoginSession
    package let projectID: String
    let name: String
    let logo: String
    let pinLength: Int
    package let generation: PlatformGeneration
    /// Nil for a device that did not scan the session's picture.
    var browser: DeviceView?
    /// The deadline for a signature; nil for a device that scanned the session's picture.
    var signingEnds: WallTime?

    package var json: JSONObject {
        let (name, logo) = (JSONValue.string(name), JSONValue.string(logo))
        let request = session.request
        let application = request.application.map { JSONValue.string($0) }
        var details: [String: JSONValue] = [
            "prerollId": .string(request.userID), "projectId": .string(projectID), "projectName": name,
            "projectLogoURL": logo, "pinLength": .integer(Int64(pinLength)), "verificationMethod": "standardEmail",
            "verificationURL": "", "verificationCustomText": "", "identityType": "email", "identityTypeLabel": "",
            "enableRegistrationCode": true, "limitRegCodeVerified": true,
            "description": .string(request.description),
        ]
        if generation == .mfaV2 {
            details.merge([
                "appName": application ?? name, "appLogoURL": logo, "customerId": .string(projectID),
                "customerName": name,
                "customerLogoURL": logo, "registerOnly": false, "clientId": "", "redirectURI": "",
            ]) { $1 }
        } else if let application {
            // Clients of today's platform show the project. Older clients show the application.
            details["appName"] = application
        }
        if generation == .trust2025 || signingEnds != nil { details["hash"] = .string(request.hash) }
        if let signingEnds {
            details["userID"] = .string(request.userID)
            details["status"] = session.status == .signed ? "signed" : "active"
            details["expireTime"] = .integer(signingEnds.seconds)
        }
        if let browser { details.merge(browser.members) { $1 } }
        if request.isUserVerified { details["userVerified"] = true }
        return JSONObject(details)
    }
}

/// `POST /dvs/session/details` and `DELETE /dvs/session`. docs/protocol/miracl.md, section 12.5.
package struct SigningSessionRequest: Sendable {
    let accessID: String

    /// - Throws: `PlatformRefusal` without an id.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        guard let accessID = body.string("id") else { throw .invalid("id") }
        self.accessID = accessID
    }
}

/// `PUT /dvs/session`.
package struct SignatureDelivery: Sendable {
    let session: SigningSessionRequest
    let signature: SubmittedSignature

    /// - Throws: `PlatformRefusal` that names the first missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) {
        session = try SigningSessionRequest(body)
        signature = try SubmittedSignature(of: body)
    }
}
