// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendValues
@testable import ReferenceBackend

/// A device of the platform of 2018 to 2022, written from the protocol: an identity that logs in and perhaps one that
/// signs.
struct MFADevice: Sendable {
    static let companyID = "the-company"
    static let base = "/mfa-v2"

    let backend: RunningBackend
    let userID: String
    let mpinIDHex: String
    let dtas: String
    let token: Token
    /// Nil for an identity that logs in.
    var publicKeyHex: String?

    /// Runs `body` with a backend for such devices.
    static func withBackend<Value: Sendable>(
        pinLength: Int = 4, _ body: @escaping @Sendable (RunningBackend) async throws -> Value
    ) async throws -> Value {
        try await BackendTestKit.withBackend(options: ["--company-id", companyID, "--pin-length", "\(pinLength)"]) {
            backend in try await body(try backend.identified(as: companyID))
        }
    }

    static func settings(_ backend: RunningBackend) async throws -> JSONObject {
        let service = try await backend.client.get(base + "/service")
        try #require(service.status == 200)
        let url = try #require(service.object.string("url"))
        let prefix = try #require(service.object.string("rps_prefix"))
        let settings = try await backend.client.get(
            String(url.dropFirst(backend.addresses.publicURL.count)) + "/" + prefix + "/clientSettings")
        try #require(settings.status == 200)
        return settings.object
    }

    /// The path of a URL of the backend.
    static func path(_ url: String?, _ backend: RunningBackend) throws -> String {
        let url = try #require(url)
        try #require(url.hasPrefix(backend.addresses.publicURL))
        return String(url.dropFirst(backend.addresses.publicURL.count))
    }

    /// An access code and its browser's webOTT, from the authorization URL.
    static func accessCode(_ backend: RunningBackend) async throws -> (accessID: String, webOTT: String) {
        let authorization = try await backend.client.post(base + "/authzurl", [:])
        let path = try path(authorization.object.string("authorizeURL"), backend)
        let session = try await backend.client.post(path, [:])
        try #require(session.status == 200)
        let code = try #require(session.object.string("qrURL")?.split(separator: "#").last.map(String.init))
        return (code, try #require(session.object.string("webOTT")))
    }

    static func started(
        _ userID: String, code: String? = nil, at backend: RunningBackend
    ) async throws -> Reply {
        let settings = try await settings(backend)
        var body: [String: JSONValue] = [
            "userId": .string(userID), "mobile": 1, "deviceName": "kiosk",
            "wid": .string(try await accessCode(backend).accessID),
        ]
        if let code { body["activateCode"] = .string(code) }
        return try await backend.client.put(try path(settings.string("registerURL"), backend), body)
    }

    static func registered(
        _ userID: String, pin: String, code: String? = nil, at backend: RunningBackend
    ) async throws -> MFADevice {
        let reply = try await started(userID, code: code, at: backend)
        try #require(reply.status == 200, "\(reply.text)")
        let started = reply.object
        if started.flag("active") != true {
            let link = try await backend.mailedPage()
            let query = try #require(link.split(separator: "?").last)
            let confirmed = try await backend.client.send(
                .post, base + "/mpinActivate", body: Array(query.utf8),
                headers: [.contentType: "application/x-www-form-urlencoded"])
            try #require(confirmed.status == 200)
        }
        let settings = try await settings(backend)
        let mpinIDHex = try #require(started.string("mpinId"))
        let first = try await backend.client.get(
            try path(settings.string("signatureURL"), backend)
                + "/\(mpinIDHex)?regOTT=\(try #require(started.string("regOTT")))")
        try #require(first.status == 200)
        return try await finished(userID, mpinIDHex, first.object, pin: pin, at: backend)
    }

    /// Goes from the reply with share 1 to the token.
    static func finished(
        _ userID: String, _ mpinIDHex: String, _ first: JSONObject, pin: String, at backend: RunningBackend
    ) async throws -> MFADevice {
        try #require(first.string("curve") == "BN254CX")
        let second = try await backend.client.get(try path(first.string("cs2url"), backend))
        let shares = try [first.string("clientSecretShare"), second.object.string("clientSecret")].map {
            try ClientSecretShare(bytes: try #require($0.flatMap { Hexadecimal.bytes($0) }))
        }
        let secret = try ClientSecret(combining: shares[0], shares[1])
        let identity = MPinIdentity(MPinID(try #require(Hexadecimal.bytes(mpinIDHex))))
        return MFADevice(
            backend: backend, userID: userID, mpinIDHex: mpinIDHex, dtas: try #require(first.string("dtas")),
            token: try Token(extracting: TrustDevice.digits(pin), from: secret, for: identity))
    }

    /// Registers an identity that signs, with the token of an authentication.
    func registeredForSigning(_ offer: JSONObject, pin: String) async throws -> MFADevice {
        let key = try DVSPrivateKey.random()
        let publicKeyHex = Hexadecimal.text(key.publicKey.bytes)
        let settings = try await Self.settings(backend)
        let reply = try await backend.client.post(
            try Self.path(settings.string("dvsRegURL"), backend),
            [
                "publicKey": .string(publicKeyHex), "deviceName": "kiosk",
                "dvsRegisterToken": .string(try #require(offer.string("token"))),
            ])
        try #require(reply.status == 200)
        let second = try await backend.client.get(try Self.path(reply.object.string("cs2url"), backend))
        let shares = try [reply.object.string("dvsClientSecretShare"), second.object.string("dvsClientSecret")].map {
            try ClientSecretShare(bytes: try #require($0.flatMap { Hexadecimal.bytes($0) }))
        }
        let mpinIDHex = try #require(reply.object.string("mpinId"))
        let identity = MPinIdentity(
            MPinID(try #require(Hexadecimal.bytes(mpinIDHex))), publicKey: key.publicKey)
        let secret = try ClientSecret(combining: shares[0], shares[1], dvsKey: key)
        return MFADevice(
            backend: backend, userID: userID, mpinIDHex: mpinIDHex, dtas: try #require(reply.object.string("dtas")),
            token: try Token(extracting: TrustDevice.digits(pin), from: secret, for: identity),
            publicKeyHex: publicKeyHex)
    }

    var identity: MPinIdentity {
        get throws {
            let mpinID = MPinID(try #require(Hexadecimal.bytes(mpinIDHex)))
            guard let publicKeyHex else { return MPinIdentity(mpinID) }
            return MPinIdentity(
                mpinID, publicKey: try DVSPublicKey(bytes: try #require(Hexadecimal.bytes(publicKeyHex))))
        }
    }

    /// Sends pass 1 and returns the body of pass 2.
    func passTwoBody(pin: String, scope: String, accessID: String = "0") async throws -> [String: JSONValue] {
        let settings = try await Self.settings(backend)
        let attempt = try AuthenticationAttempt(
            identity: try identity, token: token, pin: TrustDevice.digits(pin), permit: nil)
        var body: [String: JSONValue] = [
            "scope": .array([.string(scope)]), "mpin_id": .string(mpinIDHex), "dtas": .string(dtas),
            "U": .string(Hexadecimal.text(attempt.commitment.u)), "UT": "",
        ]
        if let publicKeyHex { body["publicKey"] = .string(publicKeyHex) }
        let first = try await backend.client.post(try Self.path(settings.string("pass1URL"), backend), body)
        guard first.status == 200 else { throw Refused(reply: first) }
        let challenge = try Challenge(bytes: try #require(first.object.string("y").flatMap { Hexadecimal.bytes($0) }))
        return [
            "mpin_id": .string(mpinIDHex), "V": .string(Hexadecimal.text(try attempt.respond(to: challenge))),
            "WID": .string(accessID),
        ]
    }

    private struct Refused: Error { let reply: Reply }

    /// Sends all three requests and returns the last reply, or the first refusal.
    func authenticate(
        pin: String, scope: String, accessID: String = "0", wantsCode: Bool = false
    ) async throws -> Reply {
        let settings = try await Self.settings(backend)
        let body: [String: JSONValue]
        do {
            body = try await passTwoBody(pin: pin, scope: scope, accessID: accessID)
        } catch let refused as Refused {
            return refused.reply
        }
        let second = try await backend.client.post(try Self.path(settings.string("pass2URL"), backend), body)
        var last: [String: JSONValue] = ["authOTT": .string(try #require(second.object.string("authOTT")))]
        if wantsCode { last["authzRequest"] = true }
        return try await backend.client.post(try Self.path(settings.string("authenticateURL"), backend), last)
    }
}
