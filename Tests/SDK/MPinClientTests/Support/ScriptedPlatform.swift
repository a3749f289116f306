// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import MPinCrypto
import Synchronization

/// The platform since 2018 with real M-Pin cryptography: scopes, issuers, keys, verification, signing sessions,
/// renewal. It follows the protocol, independently of the client.
final class ScriptedPlatform: Sendable {
    static let url = "https://rps.test"
    static let projectID = "project1"
    static let token = "c0ffee00c0ffee00c0ffee00c0ffee00"
    static let quickCode = "314159"
    static let jwt = "eyJh.eyJz.c2ln"

    struct State {
        /// One-time tokens of registrations by mpin_id.
        var registrations: [String: String] = [:]
        var isActive = false
        var asksForCards = false
        var forceActivate = false
        var nextSalt = 0
        /// The pair of issuers of an identity's secret, by mpin_id and public key.
        var issuers: [String: Int] = [:]
        var commitments: [String: (u: [UInt8], challenge: Challenge, publicKey: String, scope: String)] = [:]
        /// Proofs by their one-time token. They are judged at the final call, so that proofs that no test asks for
        /// cost nothing.
        var proofs: [String: Proof] = [:]
        var failures = 0
        /// The issuers of new secrets. While `renews` is set, identities of older ones are asked to renew.
        var newest = 0
        var renews = false
        var pinLength: Int? = 4
        /// The status and body of refusals, by path.
        var refusals: [String: (status: Int, body: String)] = [:]
        var sessionHash = ""
        /// Whether a session omits what the newest clients do not read.
        var saysLittle = false
        /// The signatures received by `codeStatus` and `/dvs/session`.
        var signed: [String] = []
        var keyTokens: Set<String> = []
    }

    struct Proof {
        let mpinID: String
        let publicKey: String
        let scope: String
        let u: [UInt8]
        let challenge: Challenge
        let v: [UInt8]
    }

    let generation: DialectName
    let transport = FakeTransport()
    private let state = Mutex(State())
    private let replies = Mutex<[String: SecretBytes]>([:])
    private let issuers: [Issuers]

    init(_ generation: DialectName) throws {
        self.generation = generation
        issuers = try (0..<3).map { _ in try Issuers() }
        install()
    }

    @discardableResult func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// Answers calls to a path with an error.
    func refuse(_ path: String, _ status: Int, _ body: String = "") {
        change { $0.refusals[path] = (status, body) }
    }

    var isTrust: Bool { generation != .mfaV2 }

    static let dtas = Data(#"["\#(String(repeating: "ab", count: 32))","\#(String(repeating: "cd", count: 32))"]"#.utf8)
        .base64EncodedString()

    static var settings: [String: Any] {
        [
            "registerURL": "/rps/v2/user", "signatureURL": "https://rps.test/rps/v2/signature",
            "mpinAuthServerURL": "/rps/v2", "authenticateURL": "/rps/v2/authenticate",
            "codeStatusURL": "/rps/v2/codeStatus",
            "dvsRegURL": "/rps/v2/dvsregister", "usePermits": false, "seedValue": "00ff", "appID": "OIDC",
        ]
    }

    func install() {
        if isTrust {
            on(.get, "/.well-known/project-configuration") { _ in json(["id": Self.projectID]) }
            on(.post, "/verification/email") { _ in json(["backoff": 1_795_252_400, "method": "code"]) }
            on(.post, "/verification/quickcode") { _ in
                json(["code": Self.quickCode, "expireTime": 1_795_252_437_000, "ttlSeconds": 60])
            }
        } else {
            on(.get, "/service") { _ in
                .json(
                    #"{"name":"Test","url":"https://rps.test","rps_prefix":"rps/v2","logo_url":"","type":"online"}"#)
            }
            on(.get, "/rps/v2/clientSettings") { _ in json(Self.settings) }
            on(.post, "/verification") { _ in .status(200) }
        }
        on(.post, "/verification/confirmation") { request in
            guard object(request)?["code"] as? String == "1234-code" else { return .status(401) }
            return json([
                "actToken": Self.token, "projectId": Self.projectID, "accessId": text(accessCode),
                "expireTime": 1_795_252_999,
            ])
        }
        if generation != .trust2025 {
            on(.put, "/rps/v2/user*") { [self] in register($0) }
            on(.get, "/rps/v2/signature/*") { [self] in firstShare($0) }
            on(.post, "/rps/v2/dvsregister") { [self] in registerKey($0) }
        } else {
            on(.post, "/registration") { [self] in registration($0) }
        }
        if generation == .trust2023 {
            on(.post, "/dvs/session/details") { [self] _ in signingDetails() }
            on(.put, "/dvs/session") { [self] in handIn($0) }
            on(.delete, "/dvs/session") { [self] in handIn($0) }
        }
        on(.get, "/dta/*") { [self] in share($0) }
        on(.post, "/authorize") { _ in json(["qrURL": "https://a.test/#7a65", "webOTT": "x"]) }
        on(.post, "/rps/v2/codeStatus") { [self] in codeStatus($0) }
        on(.post, "/rps/v2/pass1") { [self] in pass1($0) }
        on(.post, "/rps/v2/pass2") { [self] in pass2($0) }
        on(.post, "/rps/v2/authenticate") { [self] in authenticate($0) }
    }

    private func on(_ method: HTTPRequest.Method, _ pattern: String, handler: @escaping FakeTransport.Handler) {
        transport.on(method, pattern) { [self] request in
            if let refusal = state.withLock({ $0.refusals[pattern] }) {
                return .json(refusal.body, status: refusal.status)
            }
            let behaviour = handler(request)
            if case .reply(let response) = behaviour, response.status == 200 {
                replies.withLock {
                    $0[pattern] = response.body
                    $0[request.url.path] = response.body
                }
            }
            return behaviour
        }
    }

    /// The body of the last good reply to a path.
    func lastReply(to path: String) -> SecretBytes? { replies.withLock { $0[path] } }

    // MARK: Registration

    private func newIdentity(_ userID: String, _ state: inout State) -> String {
        state.nextSalt += 1
        return hex(Array(#"{"iat":1,"userID":"\#(userID)","salt":"\#(state.nextSalt)","v":5}"#.utf8))
    }

    private func register(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let userID = body["userId"] as? String else { return .status(400) }
        let code = body["activateCode"] as? String
        if isTrust, code != Self.token, code != Self.quickCode {
            return .json(#"{"error":"INVALID_ACTIVATION_TOKEN","info":"no"}"#, status: 403)
        }
        if let code, code != Self.token, code != Self.quickCode { return .status(403) }
        return state.withLock { state in
            var mpinID = String(request.url.path.dropFirst("/rps/v2/user/".count))
            if state.registrations[mpinID] == nil || body["regOTT"] as? String != state.registrations[mpinID] {
                mpinID = newIdentity(userID, &state)
            }
            let regOTT = "ott+\(state.nextSalt)/x"
            state.registrations[mpinID] = regOTT
            state.isActive = state.isActive || code != nil || state.forceActivate
            var reply: [String: Any] = ["mpinId": mpinID, "regOTT": regOTT, "projectId": Self.projectID]
            if !isTrust {
                reply["active"] = state.forceActivate || code != nil
                reply["expireTime"] = 1_795_255_923
                reply["nowTime"] = 1_795_252_323
                reply["customerId"] = "c1"
                reply["appId"] = "OIDC"
            }
            reply["verificationType"] = code == Self.quickCode ? "rc" : "em"
            if let pinLength = state.pinLength { reply["pinLength"] = pinLength }
            return json(reply)
        }
    }

    private func firstShare(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        let mpinID = String(request.url.path.dropFirst("/rps/v2/signature/".count))
        let publicKey = query(request, "publicKey")
        let status = state.withLock { state -> Int in
            let regOTT = query(request, "regOTT").removingPercentEncoding
            guard regOTT == state.registrations[mpinID] else { return 400 }
            guard state.isActive else { return 401 }
            state.registrations[mpinID] = nil
            return 200
        }
        guard status == 200, isTrust == !publicKey.isEmpty else { return .status(status == 200 ? 400 : status) }
        return offer(mpinID, publicKey)
    }

    /// One share and the address of the other.
    private func offer(_ mpinID: String, _ publicKey: String, more: [String: Any] = [:]) -> FakeTransport.Behaviour {
        guard let members = try? offerMembers(mpinID, publicKey) else { return .status(500) }
        return json(members.merging(more) { $1 })
    }

    private func offerMembers(_ mpinID: String, _ publicKey: String) throws -> [String: Any] {
        let identity = try MPinIdentity(hex: mpinID, key: publicKey)
        let newest = state.withLock { state in
            state.issuers[mpinID + publicKey] = state.newest
            return state.newest
        }
        let share = try issuers[newest].share(of: 1, for: identity.hashed)
        return [
            publicKey.isEmpty ? "clientSecretShare" : "dvsClientSecretShare": share.withBytes(hex),
            "cs2url": "https://dta.test/dta/2/\(newest)?hash=\(hex(identity.hashed.bytes))", "curve": "BN254CX",
            "dtas": Self.dtas,
        ]
    }

    func share(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        let parts = request.url.path.split(separator: "/")
        guard parts.count == 3, let issuer = Int(parts[1]), let index = Int(parts[2]),
            let hashed = try? HashedIdentity(bytes: bytes(query(request, "hash"))),
            let share = try? issuers[index].share(of: issuer, for: hashed)
        else { return .status(404) }
        // The D-TA does not know the share's purpose, so the reply has both names.
        return json(["clientSecret": share.withBytes(hex), "dvsClientSecret": share.withBytes(hex), "message": "OK"])
    }

    private func registration(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let userID = body["userId"] as? String,
            let publicKey = body["publicKey"] as? String, let token = body["activationToken"] as? String
        else { return .status(400) }
        return state.withLock { state in
            guard [Self.token, Self.quickCode].contains(token) || state.keyTokens.remove(token) != nil else {
                return .json(
                    #"{"requestID":"1","error":{"code":"INVALID_ACTIVATION_TOKEN","info":"no"}}"#, status: 403)
            }
            let mpinID = newIdentity(userID, &state)
            guard let identity = try? MPinIdentity(hex: mpinID, key: publicKey) else { return .status(400) }
            state.issuers[mpinID + publicKey] = state.newest
            let hash = hex(identity.hashed.bytes)
            var reply: [String: Any] = [
                "mpinId": mpinID, "projectId": Self.projectID, "dtas": Self.dtas, "curve": "BN254CX",
                "secretUrls": [1, 2].map { "https://dta.test/dta/\($0)/\(state.newest)?hash=\(hash)" },
                "verificationType": token == Self.quickCode ? "rc" : "em", "nowTime": 1_795_252_323,
            ]
            if let pinLength = state.pinLength { reply["pinLength"] = pinLength }
            return json(reply)
        }
    }

    private func registerKey(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let token = body["dvsRegisterToken"] as? String,
            let publicKey = body["publicKey"] as? String, body["deviceName"] is String
        else { return .status(400) }
        let mpinID = state.withLock { state -> String? in
            guard state.keyTokens.remove(token) != nil else { return nil }
            return newIdentity("alice@example.com", &state)
        }
        guard let mpinID else { return .status(403) }
        return offer(mpinID, publicKey, more: ["mpinId": mpinID])
    }

    // MARK: Authentication

    private func pass1(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let id = body["mpin_id"] as? String, let u = body["U"] as? String,
            let scope = (body["scope"] as? [String])?.first, body["dtas"] as? String == Self.dtas,
            (body["UT"] as? String == "") == !isTrust, let challenge = try? Challenge.random()
        else { return .status(400) }
        state.withLock {
            $0.commitments[id] = (bytes(u), challenge, body["publicKey"] as? String ?? "", scope)
        }
        return json(["y": hex(challenge.bytes)])
    }

    private func pass2(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let id = body["mpin_id"] as? String, let v = body["V"] as? String,
            let sent = state.withLock({ $0.commitments.removeValue(forKey: id) })
        else { return .status(400) }
        let wid = body["WID"] as? String
        guard isTrust ? wid != "0" : wid != nil else { return .status(400) }
        let authOTT = "auth-" + hex((0..<16).map { _ in UInt8.random(in: 0...255) })
        let proof = Proof(
            mpinID: id, publicKey: sent.publicKey, scope: sent.scope, u: sent.u, challenge: sent.challenge, v: bytes(v))
        state.withLock { $0.proofs[authOTT] = proof }
        return json(
            state.withLock { $0.asksForCards } ? ["authOTT": authOTT, "cardTimes": true] : ["authOTT": authOTT])
    }

    private func isRight(_ proof: Proof, _ state: State) -> Bool {
        guard let issuer = state.issuers[proof.mpinID + proof.publicKey],
            let identity = try? MPinIdentity(hex: proof.mpinID, key: proof.publicKey)
        else { return false }
        return issuers[issuer].serverSecret.verify(
            identity: identity, commitment: proof.u, ut: nil, day: nil, challenge: proof.challenge, response: proof.v)
            == .accepted
    }

    private func authenticate(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let authOTT = body["authOTT"] as? String,
            isTrust == (body["wam"] as? String == "dvs")
        else { return .status(400) }
        return state.withLock { state in
            guard let proof = state.proofs.removeValue(forKey: authOTT) else {
                return .json(#"{"error":"INVALID_AUTH_SESSION","info":""}"#, status: 404)
            }
            guard isRight(proof, state) else {
                state.failures += 1
                let isLast = state.failures >= 3
                if isTrust {
                    return .json(
                        isLast
                            ? #"{"requestID":"7","error":{"code":"MPINID_REVOKED","info":""}}"#
                            : #"{"error":"UNSUCCESSFUL_AUTHENTICATION","info":""}"#, status: 401)
                }
                return .status(isLast ? 410 : 401)
            }
            state.failures = 0
            var reply: [String: Any] = ["status": 200, "message": "OK"]
            switch proof.scope {
            case "otp": reply.merge(times("OTP", "130265")) { $1 }
            case "reg-code":
                if isTrust { reply["jwt"] = Self.jwt } else { reply.merge(times("otp", Self.quickCode)) { $1 } }
            case "jwt": reply["jwt"] = Self.jwt
            case "dvs-reg": reply["dvsRegister"] = keyRight(&state)
            default: break
            }
            if body["authzRequest"] as? Bool == true { reply["code"] = "b2c4-authorization" }
            guard state.renews, state.issuers[proof.mpinID + proof.publicKey] != state.newest else {
                return json(reply)
            }
            if isTrust || proof.scope == "dvs-auth" {
                reply["dvsRegister"] = keyRight(&state)
            } else {
                let mpinID = newIdentity("alice@example.com", &state)
                state.issuers[mpinID] = state.newest
                guard let identity = try? MPinIdentity(hex: mpinID, key: ""),
                    let share = try? issuers[state.newest].share(of: 1, for: identity.hashed)
                else { return .status(500) }
                reply["renewSecret"] = [
                    "mpin_id": mpinID, "clientSecretShare": share.withBytes(hex), "curve": "BN254CX", "dtas": Self.dtas,
                    "cs2url": "https://dta.test/dta/2/\(state.newest)?hash=\(hex(identity.hashed.bytes))",
                ]
            }
            return json(reply)
        }
    }

    private func times(_ key: String, _ digits: String) -> [String: Any] {
        [key: digits, "expireTime": 1_795_252_437_000, "ttlSeconds": 60, "nowTime": 1_795_252_377_000]
    }

    private func keyRight(_ state: inout State) -> [String: Any] {
        state.nextSalt += 1
        let token = "key-token-\(state.nextSalt)"
        state.keyTokens.insert(token)
        return ["token": token, "curve": "BN254CX"]
    }

    // MARK: Sessions

    private func codeStatus(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let status = body["status"] as? String else { return .status(400) }
        switch status {
        case "wid":
            let (hash, saysLittle) = state.withLock { ($0.sessionHash, $0.saysLittle) }
            if saysLittle { return json(["prerollId": "alice@example.com", "projectId": Self.projectID]) }
            return json([
                "prerollId": "alice@example.com", "projectId": Self.projectID, "projectName": "Shop",
                "description": "Pay 5 EUR", "hash": generation == .trust2025 ? hash : "",
            ])
        case "signed":
            state.withLock { $0.signed.append(status) }
            return .status(200)
        default: return json(["status": "OK", "message": ""])
        }
    }

    private func signingDetails() -> FakeTransport.Behaviour {
        let hash = state.withLock { $0.sessionHash }
        guard !hash.isEmpty else { return .status(404) }
        return json([
            "userID": "alice@example.com", "hash": hash, "description": "Pay 5 EUR", "status": "active",
            "expireTime": 1_795_252_999, "projectId": Self.projectID, "projectName": "Shop", "pinLength": 4,
        ])
    }

    private func handIn(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), body["id"] is String else { return .status(400) }
        if request.method == .put { state.withLock { $0.signed.append("signed") } }
        return json(["status": "signed"])
    }

    /// Whether a signature is valid for one of the issuers.
    func accepts(_ signature: DVSSignature) -> Bool {
        guard let identity = try? MPinIdentity(hex: signature.mpinID, key: signature.publicKey),
            let time = try? Timestamp(signature.timestamp)
        else { return false }
        let given = DocumentSignature(u: bytes(signature.u), v: bytes(signature.v), timestamp: time)
        return issuers.contains {
            $0.serverSecret.verify(signature: given, documentHash: bytes(signature.hash), identity: identity)
                == .accepted
        }
    }
}

extension MPinIdentity {
    fileprivate init(hex mpinID: String, key: String) throws {
        let id = MPinID(bytes(mpinID))
        self = key.isEmpty ? MPinIdentity(id) : MPinIdentity(id, publicKey: try DVSPublicKey(bytes: bytes(key)))
    }
}

private func query(_ request: HTTPRequest, _ name: String) -> String {
    let items = (request.url.query ?? "").split(separator: "&").filter { $0.hasPrefix("\(name)=") }
    return items.first.map { String($0.dropFirst(name.count + 1)) } ?? ""
}
