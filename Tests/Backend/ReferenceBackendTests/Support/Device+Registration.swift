// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

extension Device {
    /// Registers a user who confirms the address by mail.
    ///
    /// - Parameters:
    ///   - code: an activation token, or a registration code; nil for a mail.
    ///   - backend: a backend at the endpoint of a classic dialect, or at any endpoint for one of the platform.
    static func registered(
        _ dialect: Dialect, as userID: String = userID, pin: String = "1234", code: String? = nil,
        at backend: RunningBackend
    ) async throws -> Device {
        guard let generation = dialect.platformGeneration else {
            return try await registered(dialect, userID, pin: pin, code: code, over: Wire(backend: backend))
        }
        if generation != .mfaV2, code == nil {
            return try await registered(userID, pin: pin, at: TrustProject(generation, at: backend.below("")))
        }
        let endpoint = backend.below("/" + dialect.rawValue)
        return try await registered(dialect, userID, pin: pin, code: code, over: Wire(backend: endpoint))
    }

    /// Registers a device of the classic dialect.
    static func registered(_ userID: String, pin: String, at backend: RunningBackend) async throws -> Device {
        try await registered(.milagro, as: userID, pin: pin, at: backend)
    }

    /// Verifies the address and registers.
    ///
    /// - Parameter code: as in `registered`.
    static func registered(
        _ userID: String = userID, pin: String = "1234", code: String? = nil, at project: TrustProject
    ) async throws -> Device {
        var activation = code
        if activation == nil { activation = try await project.verified(userID) }
        return try await registered(
            project.generation.dialect, userID, pin: pin, code: activation, over: project.wire)
    }

    static func registered(
        _ dialect: Dialect, _ userID: String, pin: String, code: String?, over wire: Wire
    ) async throws -> Device {
        let key = try DVSPrivateKey.random()
        let keyHex = dialect.hasWebTokens ? Hexadecimal.text(key.publicKey.bytes) : nil
        let started = try await start(dialect, userID, code: code, keyHex: keyHex, over: wire)
        try #require(started.status == 200, "\(started.text)")
        var reply = started.object
        if case .script(_, let projectID, _) = wire.program { try #require(reply.string("projectId") == projectID) }
        if let regOTT = reply.string("regOTT") {
            if code == nil, reply.flag("active") != true { try await wire.backend.confirmNewestMail() }
            let first = try await firstShare(
                dialect, try #require(reply.string("mpinId")), regOTT: regOTT, keyHex: keyHex, over: wire)
            try #require(first.status == 200, "\(first.text)")
            reply = JSONObject(reply.members.merging(first.object.members) { $1 })
        }
        return try await finished(dialect, userID, reply, pin: pin, key, keyHex: keyHex, over: wire)
    }

    /// Finishes a classic registration whose mail was confirmed.
    static func finishing(
        _ mpinIDHex: String, regOTT: String, pin: String, at backend: RunningBackend
    ) async throws -> Device {
        try await finishing(mpinIDHex, regOTT: regOTT, pin: pin, over: Wire(backend: backend))
    }

    static func finishing(
        _ mpinIDHex: String, regOTT: String, pin: String, over wire: Wire
    ) async throws -> Device {
        let first = try await firstShare(.milagro, mpinIDHex, regOTT: regOTT, over: wire)
        try #require(first.status == 200)
        let reply = JSONObject(first.object.members.merging(["mpinId": .string(mpinIDHex)]) { $1 })
        return try await finished(.milagro, userID, reply, pin: pin, DVSPrivateKey.random(), keyHex: nil, over: wire)
    }

    /// Sends the first request of a registration.
    static func start(
        _ dialect: Dialect, _ userID: String, code: String? = nil, keyHex: String? = nil, over wire: Wire
    ) async throws -> Reply {
        var members: [String: JSONValue] = ["userId": .string(userID)]
        switch (dialect, wire.program) {
        case (.trust2025, .own), (_, .script(.today, _, _)):
            members["deviceName"] = "kiosk"
            members["activationToken"] = code.map { .string($0) }
            members["publicKey"] = keyHex.map { .string($0) }
            return try await wire.send(.post, "/registration", members)
        case (_, .script):
            members.merge(["mobile": 0, "deviceName": "Browser"]) { $1 }
        case (_, .classic):
            // It sends these two even if they mean nothing.
            members.merge(["mobile": 1, "deviceName": "kiosk-1", "userData": "data8", "activateCode": "code7"]) { $1 }
        case (.mfaV1, _), (.mfaV2, _):
            members.merge(["mobile": 1, "wid": .string(try await newSession(dialect, over: wire).accessCode)]) { $1 }
            if dialect == .mfaV2 { members["deviceName"] = "kiosk" }
        case (.trust2023, _): members["deviceName"] = "kiosk"
        case (.milagro, _), (.milagroWithoutPermits, _), (.trust2025, _): members["mobile"] = 1
        }
        if let code { members["activateCode"] = .string(code) }
        return try await wire.send(.put, dialect.rps + "/user", members)
    }

    /// Asks for the share of a confirmed registration.
    static func firstShare(
        _ dialect: Dialect, _ mpinIDHex: String, regOTT: String, keyHex: String? = nil, over wire: Wire
    ) async throws -> Reply {
        let key = keyHex.map { "&publicKey=" + $0 } ?? ""
        return try await wire.send(.get, "\(dialect.rps)/signature/\(mpinIDHex)?regOTT=\(regOTT)\(key)")
    }

    /// Makes the token of the shares in a reply and behind its URLs.
    ///
    /// - Parameter keyHex: nil when the identity gets no key.
    static func finished(
        _ dialect: Dialect, _ userID: String, _ reply: JSONObject, mpinIDHex: String? = nil, pin: String,
        _ key: borrowing DVSPrivateKey, keyHex: String?, over wire: Wire
    ) async throws -> Device {
        let member = keyHex == nil ? "clientSecret" : "dvsClientSecret"
        var shares: [ClientSecretShare] = []
        if reply.string(member + "Share") != nil {
            shares.append(try ClientSecretShare(bytes: reply.bytes(member + "Share")))
        }
        if let params = reply.string("params") {
            // The query is sent unchanged.
            let second = try await wire.askAuthority("/clientSecret?" + params)
            try #require(second.status == 200, "\(second.text)")
            shares.append(try ClientSecretShare(bytes: second.object.bytes(member)))
        }
        var urls = [reply.string("cs2url")].compactMap { $0 }
        if case .array(let found)? = reply.members["secretUrls"] {
            urls += found.compactMap { if case .string(let url) = $0 { url } else { nil } }
        }
        for url in urls {
            try #require(url.hasPrefix(wire.backend.url + "/dta/"))
            let share = try await wire.send(.get, String(url.dropFirst(wire.backend.url.count)))
            try #require(share.status == 200, "\(share.text)")
            shares.append(try ClientSecretShare(bytes: share.object.bytes(member)))
        }
        try #require(shares.count == 2)
        if dialect.platformGeneration != nil { try #require(reply.string("curve") == "BN254CX") }
        let name = mpinIDHex ?? reply.string("mpinId") ?? reply.string("mpin_id")
        let hex = try #require(name)
        let mpinID = MPinID(try #require(Hexadecimal.bytes(hex)))
        let identity: MPinIdentity
        let secret: ClientSecret
        if keyHex == nil {
            identity = MPinIdentity(mpinID)
            secret = try ClientSecret(combining: shares[0], shares[1])
        } else {
            identity = MPinIdentity(mpinID, publicKey: key.publicKey)
            secret = try ClientSecret(combining: shares[0], shares[1], dvsKey: key)
        }
        return Device(
            dialect: dialect, wire: wire, userID: userID, mpinIDHex: hex,
            token: try Token(extracting: wire.factor(pin), from: secret, for: identity), publicKeyHex: keyHex,
            dtas: reply.string("dtas"))
    }

    /// Registers an identity with a new key, by the token that a login returned.
    func renewed(_ offer: JSONObject?, pin: String = "1234") async throws -> Device {
        let offered = try #require(offer?.string("token"))
        let isScript = wire.program != .own
        if dialect == .trust2025, !isScript || wire.program.isToday {
            return try await Self.registered(dialect, userID, pin: pin, code: offered, over: wire)
        }
        let key = try DVSPrivateKey.random()
        let keyHex = Hexadecimal.text(key.publicKey.bytes)
        var members: [String: JSONValue] = ["publicKey": .string(keyHex), "dvsRegisterToken": .string(offered)]
        if !isScript { members["deviceName"] = "kiosk" }
        let reply = try await wire.send(.post, dialect.rps + "/dvsregister", members)
        try #require(reply.status == 200, "\(reply.text)")
        // MIRACL's client reads no mpin_id from this reply, and keeps the one that it has.
        return try await Self.finished(
            dialect, userID, reply.object, mpinIDHex: isScript ? mpinIDHex : nil, pin: pin, key, keyHex: keyHex,
            over: wire)
    }
}

extension Wire.Program {
    fileprivate var isToday: Bool { if case .script(.today, _, _) = self { true } else { false } }
}
