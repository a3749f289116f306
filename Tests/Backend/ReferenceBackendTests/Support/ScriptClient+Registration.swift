// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import MPinCrypto
import Testing

@testable import BackendValues
@testable import ReferenceBackend

extension ScriptClient {
    /// Sends the first request of a registration.
    func startRegistration(_ userID: String, code: String, publicKeyHex: String) async throws -> Reply {
        guard version != .today else {
            return try await send(
                "POST", "/registration",
                #"{"userId":"\#(userID)","deviceName":"Browser","activationToken":"\#(code)","publicKey":"\#(publicKeyHex)"}"#
            )
        }
        return try await send(
            "PUT", "/rps/v2/user",
            #"{"userId":"\#(userID)","mobile":0,"deviceName":"Browser","activateCode":"\#(code)"}"#)
    }

    mutating func register(_ userID: String, code: String, pin: String) async throws {
        let key = try DVSPrivateKey.random()
        let keyHex = Hexadecimal.text(key.publicKey.bytes)
        let started = try await startRegistration(userID, code: code, publicKeyHex: keyHex)
        try #require(started.status == 200, "\(started.text)")
        try #require(started.object.string("projectId") == projectID)
        mpinIDHex = try #require(started.object.string("mpinId"))
        switch version {
        case .today: try await finish(started.object, key, keyHex, pin: pin)
        case .eight, .seven, .six:
            let regOTT = try #require(started.object.string("regOTT"))
            let query = "?regOTT=\(regOTT)" + (version == .six ? "" : "&publicKey=\(keyHex)")
            let first = try await send("GET", "/rps/v2/signature/\(mpinIDHex)\(query)")
            try #require(first.status == 200, "\(first.text)")
            try await finish(first.object, key, version == .six ? nil : keyHex, pin: pin)
        }
    }

    /// Takes a new key with the token of an authentication. Before 2025 this client reads no mpin_id from the reply,
    /// and keeps the one that it has.
    mutating func renew(_ userID: String, _ offer: JSONObject, pin: String) async throws {
        let token = try #require(offer.string("token"))
        let key = try DVSPrivateKey.random()
        let keyHex = Hexadecimal.text(key.publicKey.bytes)
        guard version != .today else { return try await register(userID, code: token, pin: pin) }
        let reply = try await send(
            "POST", "/rps/v2/dvsregister", #"{"publicKey":"\#(keyHex)","dvsRegisterToken":"\#(token)"}"#)
        try #require(reply.status == 200, "\(reply.text)")
        try await finish(reply.object, key, keyHex, pin: pin)
    }

    /// - Parameter keyHex: nil when the identity gets no key.
    private mutating func finish(
        _ reply: JSONObject, _ key: borrowing DVSPrivateKey, _ keyHex: String?, pin: String
    ) async throws {
        var shares: [ClientSecretShare] = []
        let name = keyHex == nil ? "clientSecret" : "dvsClientSecret"
        if let first = reply.string(name + "Share").flatMap({ Hexadecimal.bytes($0) }) {
            shares.append(try ClientSecretShare(bytes: first))
        }
        var urls = [reply.string("cs2url")].compactMap { $0 }
        if case .array(let found)? = reply.members["secretUrls"] {
            urls += found.compactMap { if case .string(let url) = $0 { url } else { nil } }
        }
        for url in urls {
            let projectURL = backend.addresses.publicURL + base
            try #require(url.hasPrefix(projectURL))
            let share = try await send("GET", String(url.dropFirst(projectURL.count)))
            try #require(share.status == 200, "\(share.text)")
            shares.append(
                try ClientSecretShare(bytes: try #require(share.object.string(name).flatMap { Hexadecimal.bytes($0) })))
        }
        try #require(shares.count == 2 && reply.string("curve") == "BN254CX")
        dtas = try #require(reply.string("dtas"))
        let secret: ClientSecret
        if keyHex == nil {
            secret = try ClientSecret(combining: shares[0], shares[1])
        } else {
            secret = try ClientSecret(combining: shares[0], shares[1], dvsKey: key)
        }
        publicKeyHex = keyHex
        token = try Token(extracting: TrustDevice.digits(pin), from: secret, for: try identity)
    }

    var identity: MPinIdentity {
        get throws {
            let mpinID = MPinID(try #require(Hexadecimal.bytes(mpinIDHex)))
            guard let publicKeyHex else { return MPinIdentity(mpinID) }
            return MPinIdentity(
                mpinID, publicKey: try DVSPublicKey(bytes: try #require(Hexadecimal.bytes(publicKeyHex))))
        }
    }
}
