// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The requests of a login, one at a time and together.
extension Device {
    /// A reply of pass 1 other than 200.
    struct Refused: Error { let reply: Reply }

    func permit() async throws -> TimePermit {
        let first = try await wire.send(.get, "/rps/timePermit/" + mpinIDHex)
        try #require(first.status == 200)
        let hash = try #require(first.object.string("storageId"))
        let signature = try #require(first.object.string("signature"))
        let date = try #require(first.object.integer("date"))
        let second = try await wire.askAuthority(
            "/timePermit?hash_mpin_id=\(hash)&app_id=x&mobile=1&signature=\(signature)")
        try #require(second.status == 200)
        return try TimePermit(
            combining: TimePermitShare(bytes: first.object.bytes("timePermit")),
            TimePermitShare(bytes: second.object.bytes("timePermit")), day: EpochDay(UInt32(date)))
    }

    /// The body of pass 1.
    ///
    /// - Parameter scope: the purpose of a login at the platform.
    func passOneBody(_ commitment: Pass1Commitment, scope: String) -> [String: JSONValue] {
        let (u, ut) = (JSONValue.string(Hexadecimal.text(commitment.u)), Hexadecimal.text(commitment.ut ?? []))
        guard dialect.platformGeneration != nil else {
            return ["pass": 1, "mpin_id": .string(mpinIDHex), "U": u, "UT": .string(ut)]
        }
        var members: [String: JSONValue] = ["scope": .array([.string(scope)]), "mpin_id": .string(mpinIDHex), "U": u]
        members["dtas"] = dtas.map { .string($0) }
        members["publicKey"] = publicKeyHex.map { .string($0) }
        if wire.program != .own { members.merge(["UT": "", "publicKey": ""]) { mine, _ in mine } }
        return members
    }

    /// A body of pass 1 for a login that does not go on.
    func passOneBody(scope: String = "oidc") throws -> [String: JSONValue] {
        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: wire.factor("1234"), permit: nil)
        var body = passOneBody(attempt.commitment, scope: scope)
        if dialect.usesTimePermits { body["UT"] = body["U"] }
        return body
    }

    func sendPassOne(_ body: [String: JSONValue]) async throws -> Reply {
        try await wire.send(.post, dialect.rps + "/pass1", body)
    }

    /// Sends only pass 1.
    func passOne() async throws -> Reply { try await sendPassOne(try passOneBody()) }

    /// Sends pass 1 and returns the body of pass 2.
    ///
    /// - Parameters:
    ///   - accessCode: the code of the browser to log in; nil without one.
    ///   - scope: the purpose of a login at the platform; nil for the usual one.
    ///   - permit: a permit from before; nil to fetch one if the dialect has any.
    func passTwo(
        pin: String = "1234", accessCode: String? = nil, scope: String? = nil, otp: Bool = false,
        permit given: TimePermit? = nil
    ) async throws -> [String: JSONValue] {
        var permit = given
        if permit == nil, dialect.usesTimePermits { permit = try await self.permit() }
        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: wire.factor(pin), permit: permit)
        let usual = accessCode == nil && dialect.hasWebTokens ? "jwt" : "oidc"
        let first = try await sendPassOne(passOneBody(attempt.commitment, scope: scope ?? usual))
        guard first.status == 200 else { throw Refused(reply: first) }
        let response = try attempt.respond(to: Challenge(bytes: first.object.bytes("y")))
        var body: [String: JSONValue] = ["mpin_id": .string(mpinIDHex), "V": .string(Hexadecimal.text(response))]
        body["WID"] = accessCode.map { .string($0) }
        if wire.program == .own || wire.program == .classic, !dialect.hasWebTokens {
            body["WID"] = .string(accessCode ?? "0")
        }
        if dialect.platformGeneration == nil { body.merge(["pass": 2, "OTP": .boolean(otp)]) { $1 } }
        return body
    }

    func sendPassTwo(_ body: [String: JSONValue]) async throws -> Reply {
        try await wire.send(.post, dialect.rps + "/pass2", body)
    }

    /// The body of the last request after pass 2.
    func lastBody(_ second: Reply) throws -> [String: JSONValue] {
        try #require(second.status == 200, "\(second.text)")
        if wire.program == .classic {
            try #require(second.object.integer("pass") == 2 && second.object.string("version") == "0.3")
        }
        let authOTT = JSONValue.string(try #require(second.object.string("authOTT")))
        guard dialect.platformGeneration == nil else {
            return dialect.hasWebTokens ? ["authOTT": authOTT, "wam": "dvs"] : ["authOTT": authOTT]
        }
        return ["mpinResponse": .object(second.object.members)]
    }

    /// Sends both passes and returns the body of the last request.
    func passes(
        pin: String = "1234", accessCode: String? = nil, scope: String? = nil, otp: Bool = false,
        permit: TimePermit? = nil
    ) async throws -> [String: JSONValue] {
        try lastBody(
            try await sendPassTwo(
                try await passTwo(pin: pin, accessCode: accessCode, scope: scope, otp: otp, permit: permit)))
    }

    /// Sends the last request for a device whose browser waits.
    func finish(_ body: [String: JSONValue]) async throws -> Reply {
        try await wire.send(.post, dialect.rps + "/authenticate", body)
    }

    /// Sends the last request of a device without a browser.
    func handIn(_ body: [String: JSONValue]) async throws -> Reply {
        guard dialect == .milagro || dialect == .milagroWithoutPermits else { return try await finish(body) }
        return try await wire.send(.post, "/mpinAuthenticate", body)
    }

    /// Sends all requests of a login, and returns the last reply or the first refusal.
    ///
    /// - Parameters:
    ///   - accessCode: as in `passTwo`, like `scope`, `otp` and `permit`.
    ///   - wantsCode: whether the device asks for a code for its application's server.
    func authenticate(
        pin: String = "1234", scope: String? = nil, accessCode: String? = nil, otp: Bool = false,
        wantsCode: Bool = false, permit: TimePermit? = nil
    ) async throws -> Reply {
        do {
            var body = try await passes(pin: pin, accessCode: accessCode, scope: scope, otp: otp, permit: permit)
            if wantsCode { body["authzRequest"] = true }
            return accessCode == nil ? try await handIn(body) : try await finish(body)
        } catch let refused as Refused { return refused.reply }
    }

    /// Logs in without a browser.
    func logIn(pin: String = "1234", permit: TimePermit? = nil) async throws -> Reply {
        try await authenticate(pin: pin, permit: permit)
    }

    /// Logs the browser with this code in, and returns the status of the last request.
    func logIn(_ accessCode: String, pin: String = "1234") async throws -> Int {
        try await logInBrowser(pin: pin, accessCode: accessCode).status
    }

    func logInBrowser(pin: String = "1234", accessCode: String) async throws -> Reply {
        try await authenticate(pin: pin, scope: "oidc", accessCode: accessCode)
    }

    /// Logs in to its own application with the session of an authorization URL, and returns the code for the
    /// application's server.
    func applicationCode(_ accessCode: String) async throws -> String {
        let reply =
            dialect.hasWebTokens
            ? try await authenticate(scope: "jwt") : try await authenticate(accessCode: accessCode, wantsCode: true)
        return try #require(reply.object.string(dialect.hasWebTokens ? "jwt" : "code"))
    }

    /// `{hash, mpinId, u, v, publicKey, dtas}`.
    func sign(_ hash: String, pin: String = "1234", timestamp: Int64) throws -> [String: JSONValue] {
        let signature = try token.sign(
            documentHash: try #require(Hexadecimal.bytes(hash)), identity: try identity, pin: wire.factor(pin),
            timestamp: try Timestamp(UInt32(timestamp)))
        return [
            "hash": .string(hash), "mpinId": .string(mpinIDHex), "u": .string(Hexadecimal.text(signature.u)),
            "v": .string(Hexadecimal.text(signature.v)), "publicKey": .string(try #require(publicKeyHex)),
            "dtas": .string(try #require(dtas)),
        ]
    }
}

/// Sessions of a page that a client serves itself.
extension Device {
    static func newSession(
        _ dialect: Dialect, over wire: Wire
    ) async throws -> (accessCode: String, webOTT: String) {
        guard dialect.platformGeneration != nil else { return try await wire.backend.client.newQRSession() }
        let reply = try await wire.send(.post, "/rps/v2/session", ["projectId": .string(companyID)])
        try #require(reply.status == 200, "\(reply.text)")
        return (try #require(reply.object.string("accessId")), try #require(reply.object.string("webOTT")))
    }

    func newSession() async throws -> (accessCode: String, webOTT: String) {
        try await Self.newSession(dialect, over: wire)
    }

    /// Polls as the page of a session does.
    func access(_ webOTT: String) async throws -> JSONObject {
        try await wire.send(.post, dialect.rps + "/access", ["webOTT": .string(webOTT)]).object
    }

    func report(_ status: String, accessCode: String, userID: String? = nil) async throws -> Reply {
        var body: [String: JSONValue] = ["status": .string(status), "wid": .string(accessCode)]
        if let userID { body["userId"] = .string(userID) }
        return try await wire.send(.post, dialect.rps + "/codeStatus", body)
    }
}
