// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

@testable import ReferenceBackend

// The services of RPS, relying party and platform at an address, as those have them who replace one of them: they know
// the private listener by its requests and replies alone.

/// The RPS at an address, as the classic servers have it.
struct HTTPRPSService: RPSService {
    let client: PrivateClient

    func makePicture() async throws -> NewSession {
        try await ask("/rps/getQrUrl", JSONObject([:])) { NewSession(.picture, reply: $0) }
    }

    func makeAccessNumber() async throws -> NewSession {
        try await ask("/rps/getAccessNumber", JSONObject([:])) { NewSession(.number, reply: $0) }
    }

    func access(_ request: AccessRequest) async throws -> AccessReply {
        try await ask("/rps/access", request.json) { AccessReply(reply: $0) }
    }

    func verdict(_ request: VerdictRequest) async throws -> VerdictReply {
        try await ask("/authenticate", request.json) { VerdictReply(reply: $0) }
    }

    func finish(_ decision: LoginDecision) async throws {
        try await client.post("/loginResult", decision.json).requireSuccess()
    }

    /// Another process has no part in a step of this one.
    func conclude(
        _: OneTimeToken, with _: (VerdictReply) -> [(any VolatileStep)?], deciding _: (VerdictReply) -> LoginDecision
    ) async throws -> VerdictReply? { nil }

    func activate(_ mpinID: MPinID, key: String) async throws {
        let path = "/user/" + Hexadecimal.text(mpinID.bytes)
        try await client.post(path, JSONObject(["activateKey": .string(key)])).requireSuccess()
    }

    private func ask<Reply>(
        _ path: String, _ body: JSONObject, _ read: (JSONObject) -> Reply?
    ) async throws -> Reply {
        let reply = try await client.post(path, body)
        try reply.requireSuccess()
        guard let read = reply.object.flatMap(read) else { throw Refusal.otherServerFailed }
        return read
    }
}

/// The relying party at an address.
struct HTTPRelyingPartyService: RelyingPartyService {
    let client: PrivateClient

    func verify(_ registration: NewRegistration) async throws -> Bool {
        let reply = try await client.post("/mpinVerify", registration.json)
        try reply.requireSuccess()
        // A relying party that says nothing sends a mail.
        return reply.object?.flag("forceActivate") ?? false
    }

    func permit(_ mpinID: MPinID, isRevoked _: Bool?) async throws {
        try await client.get("/mpinPermitUser?mpin_id=" + Hexadecimal.text(mpinID.bytes)).requireSuccess()
    }
}

extension PrivateReply {
    /// - Throws: `Refusal` with the status of one that the caller's own client is to hear of, 502 for any other
    ///   failure.
    fileprivate func requireSuccess() throws(Refusal) {
        switch status {
        case 200: return
        case 429: throw .tooManyLogins
        case 503: throw .uncounted
        case 400..<500: throw Refusal(status, object?.string("message") ?? "Refused")
        default: throw .otherServerFailed
        }
    }
}

extension Refusal {
    fileprivate static let otherServerFailed = Refusal(502, "The login server failed")
}

/// The platform at an address.
struct HTTPPlatformService: PlatformService {
    let client: PrivateClient
    let projectID: String

    func openSession(expecting userID: String) async throws -> OpenedSession {
        let request = JSONObject(["projectId": .string(projectID), "userId": .string(userID)])
        guard let session = OpenedSession(reply: try await ask("/rps/v2/session", request)) else { throw Self.failure }
        return session
    }

    func access(_ request: PlatformAccessRequest) async throws -> PlatformAccessReply {
        let reply = try await ask("/rps/v2/access", request.json)
        guard let read = PlatformAccessReply(reply: reply) else { throw Self.failure }
        return read
    }

    func certificate(for signature: SubmittedSignature) async throws -> String? {
        let request = JSONObject([
            "signature": .object(signature.message.members), "timestamp": .integer(signature.timestamp),
            "type": "verification",
        ])
        let reply = try await client.post("/dvs/verify", request)
        switch reply.status {
        case 200: return reply.object?.string("certificate")
        case 401, 410: throw Refusal(reply.status, "Signature refused")
        default: return nil
        }
    }

    var keySet: JSONObject {
        get async throws {
            guard let keySet = try await client.get("/dvs/jwks").object else { throw Self.failure }
            return keySet
        }
    }

    private func ask(_ path: String, _ body: JSONObject) async throws -> JSONObject {
        let reply = try await client.post(path, body)
        guard reply.status == 200, let object = reply.object else { throw Self.failure }
        return object
    }

    private static let failure = Refusal(502, "The login platform failed")
}

// MARK: What the other side writes and reads.

extension NewSession {
    /// Nil when a field is missing or malformed.
    fileprivate init?(_ kind: Kind, reply: JSONObject) {
        guard let text = reply.string(kind.rawValue), let webOTT = reply.string("webOTT").flatMap({ OneTimeToken($0) }),
            let begins = reply.integer("localTimeStart")
        else { return nil }
        self.init(kind, text: text, webOTT: webOTT, begins: WallTime(milliseconds: begins))
    }
}

extension AccessRequest {
    fileprivate var json: JSONObject { JSONObject(["webOTT": .string(webOTT?.hex ?? "")]) }
}

extension AccessReply {
    /// Nil without a status.
    fileprivate init?(reply: JSONObject) {
        guard let status = reply.string("status") else { return nil }
        self.init(status: status, userID: reply.string("userId") ?? "", authOTT: reply.string("authOTT") ?? "")
    }
}

extension VerdictRequest {
    fileprivate var json: JSONObject {
        JSONObject(["authOTT": .string(authOTT?.hex ?? "")].merging(logout.members) { $1 })
    }
}

extension VerdictReply {
    /// Nil when a field is missing.
    fileprivate init?(reply: JSONObject) {
        guard let userID = reply.string("userId"),
            let mpinID = reply.string("mpinId").flatMap({ Hexadecimal.bytes($0) })
        else { return nil }
        self.init(
            userID: userID, mpinID: MPinID(mpinID), oneTimePassword: reply.string("OTP"),
            deviceWaits: reply.flag("deviceWaits") ?? true)
    }
}

extension LoginDecision {
    fileprivate var json: JSONObject {
        let decision: [String: JSONValue] = [
            "authOTT": .string(authOTT?.hex ?? ""), "status": .integer(Int64(status)), "message": .string(message),
        ]
        return JSONObject(decision.merging(logout.members) { $1 })
    }
}

extension LogoutOffer {
    fileprivate var members: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if let data { members["logoutData"] = data }
        if let url { members["logoutURL"] = .string(url) }
        return members
    }
}

extension NewRegistration {
    fileprivate var json: JSONObject {
        JSONObject([
            "userId": .string(userID), "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "mobile": .integer(mobile),
            "activateKey": .string(activateKey), "expireTime": .string(expires.zonedText),
            "resend": .boolean(isResend), "deviceName": .string(deviceName), "userData": .string(userData),
        ])
    }
}

extension PlatformAccessRequest {
    fileprivate var json: JSONObject { JSONObject(["webOTT": .string(webOTT?.hex ?? "")]) }
}

extension PlatformAccessReply {
    /// Nil without a status.
    fileprivate init?(reply: JSONObject) {
        guard let status = reply.string("status") else { return nil }
        self.init(status: status, userID: reply.string("userId") ?? "", signature: reply.string("signature"))
    }
}

extension OpenedSession {
    /// Nil when a field is missing or malformed.
    fileprivate init?(reply: JSONObject) {
        guard let webOTT = reply.string("webOTT").flatMap({ OneTimeToken($0) }), let qrText = reply.string("qrURL")
        else { return nil }
        self.init(webOTT: webOTT, qrText: qrText, accessURL: reply.string("accessURL") ?? "")
    }
}
