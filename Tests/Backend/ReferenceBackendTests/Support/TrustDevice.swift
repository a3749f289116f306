// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendValues
@testable import ReferenceBackend

/// A device of the Trust platform, written for these tests from the protocol's description only.
struct TrustDevice: Sendable {
    let project: TrustProject
    let userID: String
    let mpinIDHex: String
    let publicKeyHex: String
    let dtas: String
    let token: Token

    /// Verifies the address through the mail's link and registers.
    static func registered(_ userID: String, pin: String, at project: TrustProject) async throws -> TrustDevice {
        let activationToken = try await project.verified(userID)
        return try await registering(userID, pin: pin, activationToken: activationToken, at: project)
    }

    static func registering(
        _ userID: String, pin: String, activationToken: String, at project: TrustProject
    ) async throws -> TrustDevice {
        let key = try DVSPrivateKey.random()
        let publicKey = key.publicKey
        let publicKeyHex = Hexadecimal.text(publicKey.bytes)
        let reply: JSONObject
        let shares: [ClientSecretShare]
        switch project.generation {
        case .trust2025:
            reply = try await project.post(
                "/registration",
                [
                    "userId": .string(userID), "deviceName": "kiosk", "activationToken": .string(activationToken),
                    "publicKey": .string(publicKeyHex),
                ], expecting: 200)
            guard case .array(let urls)? = reply.members["secretUrls"] else { throw Unexpected() }
            try #require(urls.count == 2)
            var found: [ClientSecretShare] = []
            for url in urls {
                guard case .string(let url) = url else { throw Unexpected() }
                found.append(try await project.share(url))
            }
            shares = found
        case .trust2023, .mfaV2:
            let started = try await project.send(
                .put, "/rps/v2/user",
                ["userId": .string(userID), "deviceName": "kiosk", "activateCode": .string(activationToken)],
                expecting: 200)
            let mpinIDHex = try #require(started.string("mpinId"))
            let regOTT = try #require(started.string("regOTT"))
            let first = try await project.get(
                "/rps/v2/signature/\(mpinIDHex)?regOTT=\(regOTT)&publicKey=\(publicKeyHex)", expecting: 200)
            let share = try #require(first.string("dvsClientSecretShare").flatMap { Hexadecimal.bytes($0) })
            shares = [
                try ClientSecretShare(bytes: share), try await project.share(try #require(first.string("cs2url"))),
            ]
            reply = JSONObject(started.members.merging(first.members) { $1 })
        }
        try #require(reply.string("curve") == "BN254CX")
        try #require(reply.string("projectId") == project.id)
        let mpinIDHex = try #require(reply.string("mpinId"))
        let secret = try ClientSecret(combining: shares[0], shares[1], dvsKey: key)
        let identity = MPinIdentity(MPinID(try #require(Hexadecimal.bytes(mpinIDHex))), publicKey: publicKey)
        return TrustDevice(
            project: project, userID: userID, mpinIDHex: mpinIDHex, publicKeyHex: publicKeyHex,
            dtas: try #require(reply.string("dtas")),
            token: try Token(extracting: digits(pin), from: secret, for: identity))
    }

    struct Unexpected: Error {}

    static func digits(_ pin: String) throws -> PinFactor {
        let bytes = Array(pin.utf8)
        return try PinFactor(digits: bytes.span)
    }

    var identity: MPinIdentity {
        get throws {
            MPinIdentity(
                MPinID(try #require(Hexadecimal.bytes(mpinIDHex))),
                publicKey: try DVSPublicKey(bytes: try #require(Hexadecimal.bytes(publicKeyHex))))
        }
    }

    /// Sends pass 1 and returns the body of pass 2.
    func passTwoBody(pin: String, scope: String, accessID: String? = nil) async throws -> [String: JSONValue] {
        let attempt = try AuthenticationAttempt(
            identity: try identity, token: token, pin: Self.digits(pin), permit: nil)
        let first = try await project.post(
            "/rps/v2/pass1",
            [
                "scope": .array([.string(scope)]), "mpin_id": .string(mpinIDHex), "dtas": .string(dtas),
                "U": .string(Hexadecimal.text(attempt.commitment.u)), "publicKey": .string(publicKeyHex),
            ], expecting: 200)
        let challenge = try Challenge(bytes: try #require(first.string("y").flatMap { Hexadecimal.bytes($0) }))
        var body: [String: JSONValue] = [
            "mpin_id": .string(mpinIDHex), "V": .string(Hexadecimal.text(try attempt.respond(to: challenge))),
        ]
        if let accessID { body["WID"] = .string(accessID) }
        return body
    }

    /// Sends both passes and returns the body of the last request.
    func passes(pin: String, scope: String, accessID: String? = nil) async throws -> [String: JSONValue] {
        let second = try await project.post(
            "/rps/v2/pass2", try await passTwoBody(pin: pin, scope: scope, accessID: accessID), expecting: 200)
        return ["authOTT": .string(try #require(second.string("authOTT"))), "wam": "dvs"]
    }

    /// Sends all three requests and returns the last reply.
    func authenticate(pin: String, scope: String = "oidc", accessID: String? = nil) async throws -> Reply {
        try await project.post("/rps/v2/authenticate", try await passes(pin: pin, scope: scope, accessID: accessID))
    }
}
