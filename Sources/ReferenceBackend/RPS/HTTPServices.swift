// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The RPS at an address, as the classic servers have it.
struct HTTPRPSService: RPSService {
    let client: PrivateClient

    func makePicture() async throws -> NewSession {
        try await ask("/rps/getQrUrl", JSONObject([:])) { NewSession(.picture, $0) }
    }

    func makeAccessNumber() async throws -> NewSession {
        try await ask("/rps/getAccessNumber", JSONObject([:])) { NewSession(.number, $0) }
    }

    func access(_ request: AccessRequest) async throws -> AccessReply {
        try await ask("/rps/access", request.json) { AccessReply($0) }
    }

    func verdict(_ request: VerdictRequest) async throws -> VerdictReply {
        try await ask("/authenticate", request.json) { VerdictReply($0) }
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
        try await client.post(path, ActivationRequest(key: key).json).requireSuccess()
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
        return RegistrationVerdict(reply.object).isActive
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
