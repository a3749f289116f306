// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import MPinCrypto
import Synchronization

/// The servers of one dialect with real M-Pin cryptography: two D-TAs with a master secret each, registration, permits,
/// verdicts, and since 2018 scopes, issuers, keys, verification, signing sessions, renewal. It follows the protocol,
/// independently of the client.
final class ScriptedServer: Sendable {
    static let url = "https://rps.test"
    static let projectID = "project1"
    static let token = "c0ffee00c0ffee00c0ffee00c0ffee00"
    static let registrationCode = "314159"
    static let jwt = "eyJh.eyJz.c2ln"
    static let day: UInt32 = 20778
    static let service =
        #"{"name":"Test","url":"https://rps.test","rps_prefix":"rps","logo_url":"","type":"online"}"#

    struct State {
        var isActive = false
        var forceActivate = false
        /// One-time tokens of registrations by mpin_id.
        var registrations: [String: String] = [:]
        var nextSalt = 0
        /// The pair of issuers of an identity's secret, by mpin_id and public key.
        var issuers: [String: Int] = [:]
        /// Logins after pass 1, by mpin_id.
        var commitments: [String: Proof] = [:]
        /// Proofs by their one-time token. They are checked at the `authenticate` request, so that proofs that no test
        /// asks for cost nothing.
        var proofs: [String: Proof] = [:]
        var failures = 0
        /// The status and body of refusals, by path.
        var refusals: [String: (status: Int, body: String)] = [:]
        /// Whether replies begin with a byte order mark.
        var putsMarks = false
        var asksForCards = false
        // The classic dialects.
        var usesPermits: Bool
        var storedPermit = false
        var issuesPasswords = true
        // The dialects since 2018.
        /// The issuers of new secrets. While `renews` is set, identities of older ones are asked to renew.
        var newest = 0
        var renews = false
        var pinLength: Int? = 4
        var sessionHash = ""
        /// The number of signatures received by `codeStatus` and `/dvs/session`.
        var signed = 0
        var keyTokens: Set<String> = []
    }

    struct Proof {
        let mpinID: String
        let publicKey: String
        let scope: String
        let u: [UInt8]
        let ut: [UInt8]?
        let challenge: Challenge
        var v: [UInt8] = []
        var wantsPassword = false
    }

    let dialect: DialectName
    let transport: FakeTransport
    private let state: Mutex<State>
    private let replies = Mutex<[String: SecretBytes]>([:])
    private let issuers: [Issuers]

    init(_ dialect: DialectName = .milagro, transport: FakeTransport = FakeTransport()) throws {
        self.dialect = dialect
        self.transport = transport
        state = Mutex(State(usesPermits: dialect == .milagro))
        issuers = try (0..<(dialect.isClassic ? 1 : 3)).map { _ in try Issuers() }
        install()
    }

    @discardableResult func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// Answers calls to a path with an error.
    func refuse(_ path: String, _ status: Int, _ body: String = "") {
        change { $0.refusals[path] = (status, body) }
    }

    var isTrust: Bool { DialectName.trust.contains(dialect) }

    /// The path of the RPS.
    var root: String { dialect.isClassic ? "/rps" : "/rps/v2" }

    static let dtas = Data(#"["\#(String(repeating: "ab", count: 32))","\#(String(repeating: "cd", count: 32))"]"#.utf8)
        .base64EncodedString()

    var settings: [String: Any] {
        guard dialect.isClassic else {
            return [
                "registerURL": "/rps/v2/user", "signatureURL": "https://rps.test/rps/v2/signature",
                "mpinAuthServerURL": "/rps/v2", "authenticateURL": "/rps/v2/authenticate",
                "codeStatusURL": "/rps/v2/codeStatus", "dvsRegURL": "/rps/v2/dvsregister", "usePermits": false,
                "seedValue": "00ff", "appID": "OIDC",
            ]
        }
        return [
            "registerURL": "/rps/user", "signatureURL": "https://rps.test/rps/signature",
            "certivoxURL": "https://dta.test/dta/", "timePermitsURL": "wss://rps.test/rps/timePermit",
            "timePermitsStorageURL": "https://storage.test/storage", "appID": "app1", "mpinAuthServerURL": "/rps",
            "authenticateURL": "/mpinAuthenticate", "mobileAuthenticateURL": "/rps/authenticate",
            "codeStatusURL": "/rps/codeStatus", "usePermits": state.withLock { $0.usesPermits },
            "accessNumberDigits": 7, "accessNumberUseCheckSum": true, "cSum": 1, "setDeviceName": true,
        ]
    }

    /// Makes the server tell other settings than its own.
    func tell(_ changes: [String: Any?]) {
        var told = settings
        for (key, value) in changes { told[key] = value }
        transport.on(.get, root + "/clientSettings", json(told))
    }

    /// Installs the script's rules over those of a test.
    func install() {
        if isTrust {
            on(.get, "/.well-known/project-configuration") { _ in json(["id": Self.projectID]) }
            on(.post, "/verification/email") { _ in json(["backoff": 1_795_252_400, "method": "code"]) }
            on(.post, "/verification/quickcode") { _ in
                json(["code": Self.registrationCode, "expireTime": 1_795_252_437_000, "ttlSeconds": 60])
            }
        } else {
            on(.get, "/service") { [self] _ in
                .json(Self.service.replacing(#"prefix":"rps""#, with: "prefix\":\"\(root.dropFirst())\""))
            }
            on(.get, root + "/clientSettings") { [self] _ in json(settings) }
        }
        if dialect != .trust2025 {
            on(.put, root + "/user*") { [self] in register($0) }
            on(.get, root + "/signature/*") { [self] in try firstShare($0) }
        }
        on(.post, root + "/codeStatus") { [self] in codeStatus($0) }
        on(.post, root + "/pass1") { [self] in try pass1($0) }
        on(.post, root + "/pass2") { [self] in pass2($0) }
        on(.post, root + "/authenticate") { [self] in try authenticate($0) }
        if dialect.isClassic { installClassic() } else { installPlatform() }
    }

    private func installClassic() {
        on(.get, "/dta/clientSecret") { [self] in try secondShare($0) }
        on(.get, "/rps/timePermit/*") { [self] in try firstPermit($0) }
        on(.get, "/storage/*") { [self] in try storedPermit($0) }
        on(.get, "/dta/timePermit") { [self] request in
            let share = try issuers[0].permitShare(of: 2, for: hashed(query(request, "hash_mpin_id")))
            return json(["timePermit": share])
        }
        on(.post, "/mpinAuthenticate") { [self] in try authenticate($0) }
        on(.post, "/logout") { request in
            .status(object(request)?["sessionToken"] as? String == "abc" ? 200 : 400)
        }
    }

    private func installPlatform() {
        if dialect == .mfaV2 { on(.post, "/verification") { _ in .status(200) } }
        on(.post, "/verification/confirmation") { request in
            guard object(request)?["code"] as? String == "1234-code" else { return .status(401) }
            return json([
                "actToken": Self.token, "projectId": Self.projectID, "accessId": text(accessCode),
                "expireTime": 1_795_252_999,
            ])
        }
        if dialect == .trust2025 {
            on(.post, "/registration") { [self] in try registration($0) }
        } else {
            on(.post, "/rps/v2/dvsregister") { [self] in try registerKey($0) }
        }
        if dialect == .trust2023 {
            on(.post, "/dvs/session/details") { [self] _ in signingDetails() }
            for method in [HTTPRequest.Method.put, .delete] { on(method, "/dvs/session") { [self] in handIn($0) } }
        }
        on(.get, "/dta/*") { [self] in share($0) }
        on(.post, "/authorize") { _ in json(["qrURL": "https://a.test/#7a65", "webOTT": "x"]) }
    }

    private func on(
        _ method: HTTPRequest.Method, _ path: String,
        handler: @escaping @Sendable (HTTPRequest) throws -> FakeTransport.Behaviour
    ) {
        transport.on(method, path) { [self] request in
            if let refusal = state.withLock({ $0.refusals[path] }) {
                return .json(refusal.body, status: refusal.status)
            }
            if let refusal = headerRefusal(request) { return refusal }
            guard case .reply(var response) = (try? handler(request)) ?? .status(500) else { return .status(500) }
            if state.withLock({ $0.putsMarks }) {
                let body = SecretBytes(copying: [0xEF, 0xBB, 0xBF] + Array(text(response.body).utf8))
                response = HTTPResponse(status: response.status, headers: response.headers, body: body)
            }
            if response.status == 200 {
                replies.withLock { ($0[path], $0[request.url.path]) = (response.body, response.body) }
            }
            return .reply(response)
        }
    }

    /// The body of the last good reply to a path.
    func lastReply(to path: String) -> SecretBytes? { replies.withLock { $0[path] } }

    /// The dialect mfa-v1 identifies companies by one header, and only before it knows the client by the other.
    private func headerRefusal(_ request: HTTPRequest) -> FakeTransport.Behaviour? {
        guard dialect == .mfaV1 else { return nil }
        let names = Set(request.headers.map(\.name))
        guard names.contains("X-MIRACL-CID") else { return .status(406) }
        let isDiscovery = request.url.path == "/service" || request.url.path == "/rps/clientSettings"
        return names.contains("X-MIRACL-Client-ID") && !isDiscovery ? .status(400) : nil
    }

    // MARK: Registration

    private func newIdentity(_ userID: String, _ state: inout State) -> String {
        state.failures = 0
        state.nextSalt += 1
        return hex(Array(#"{"userID": "\#(userID)", "salt": "\#(state.nextSalt)"}"#.utf8))
    }

    private func register(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let userID = body["userId"] as? String else { return .status(400) }
        if dialect == .mfaV1, body["wid"] as? String != text(accessCode) { return .status(406) }
        let code = dialect.isClassic ? nil : body["activateCode"] as? String
        if isTrust || code != nil, code != Self.token, code != Self.registrationCode {
            return .json(isTrust ? #"{"error":"INVALID_ACTIVATION_TOKEN","info":"no"}"# : "", status: 403)
        }
        return state.withLock { state in
            var mpinID = String(request.url.path.dropFirst("\(root)/user/".count))
            if let regOTT = state.registrations[mpinID] {
                guard body["regOTT"] as? String == regOTT else { return .status(400) }
            } else {
                mpinID = newIdentity(userID, &state)
                state.registrations[mpinID] = dialect.isClassic ? randomHex() : "ott+\(state.nextSalt)/x"
                state.isActive = state.forceActivate || code != nil
            }
            var reply: [String: Any] = ["mpinId": mpinID, "regOTT": state.registrations[mpinID] ?? ""]
            if !isTrust {
                reply["active"] = state.forceActivate || code != nil
                let more: [String: Any] =
                    dialect == .milagro
                    ? ["expireTime": "2026-11-21T10:12:03.465589", "nowTime": "2026-11-21T09:12:03.465589"]
                    : ["expireTime": 1_795_255_923, "nowTime": 1_795_252_323, "customerId": "c1", "appId": "OIDC"]
                reply.merge(more) { $1 }
            }
            return json(dialect.isClassic ? reply : reply.merging(project(state, code)) { $1 })
        }
    }

    /// The members that every registration since 2018 has.
    private func project(_ state: State, _ code: String?) -> [String: Any] {
        var members: [String: Any] = [
            "projectId": Self.projectID, "verificationType": code == Self.registrationCode ? "rc" : "em",
        ]
        members["pinLength"] = state.pinLength
        return members
    }

    private func firstShare(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        let mpinID = String(request.url.path.dropFirst("\(root)/signature/".count))
        let publicKey = query(request, "publicKey")
        let status = state.withLock { state -> Int in
            let regOTT = query(request, "regOTT").removingPercentEncoding
            guard regOTT == state.registrations[mpinID], isTrust == !publicKey.isEmpty else { return 400 }
            guard state.isActive else { return 401 }
            state.registrations[mpinID] = nil
            return 200
        }
        guard status == 200 else { return .status(status) }
        guard dialect.isClassic else { return json(try offer(mpinID, publicKey)) }
        let hashed = try MPinIdentity(hex: mpinID).hashed
        state.withLock { $0.issuers[mpinID] = 0 }
        return json([
            "clientSecretShare": try issuers[0].share(of: 1, for: hashed),
            "params": "mobile=1&expires=2026%3A&hash_mpin_id=\(hex(hashed.bytes))",
        ])
    }

    /// The classic D-TA's share.
    private func secondShare(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        let share = try issuers[0].share(of: 2, for: hashed(query(request, "hash_mpin_id")))
        return json(["clientSecret": share, "message": "OK"])
    }

    /// One share and the address of the other.
    private func offer(_ mpinID: String, _ publicKey: String) throws -> [String: Any] {
        let identity = try MPinIdentity(hex: mpinID, key: publicKey)
        let newest = change { state in
            state.issuers[mpinID + publicKey] = state.newest
            return state.newest
        }
        return [
            publicKey.isEmpty ? "clientSecretShare" : "dvsClientSecretShare":
                try issuers[newest].share(of: 1, for: identity.hashed),
            "cs2url": Self.secretURL(2, newest, identity), "curve": "BN254CX", "dtas": Self.dtas,
        ]
    }

    private static func secretURL(_ issuer: Int, _ pair: Int, _ identity: MPinIdentity) -> String {
        "https://dta.test/dta/\(issuer)/\(pair)?hash=\(hex(identity.hashed.bytes))"
    }

    func share(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        let parts = request.url.path.split(separator: "/")
        guard parts.count == 3, let issuer = Int(parts[1]), let index = Int(parts[2]),
            let share = try? issuers[index].share(of: issuer, for: hashed(query(request, "hash")))
        else { return .status(404) }
        // The D-TA does not know the share's purpose, so the reply has both names.
        return json(["clientSecret": share, "dvsClientSecret": share, "message": "OK"])
    }

    private func registration(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        guard let body = object(request), let userID = body["userId"] as? String,
            let publicKey = body["publicKey"] as? String, let token = body["activationToken"] as? String
        else { return .status(400) }
        return try state.withLock { state in
            guard [Self.token, Self.registrationCode].contains(token) || state.keyTokens.remove(token) != nil else {
                return .json(
                    #"{"requestID":"1","error":{"code":"INVALID_ACTIVATION_TOKEN","info":"no"}}"#, status: 403)
            }
            let mpinID = newIdentity(userID, &state)
            let identity = try MPinIdentity(hex: mpinID, key: publicKey)
            state.issuers[mpinID + publicKey] = state.newest
            let reply: [String: Any] = [
                "mpinId": mpinID, "dtas": Self.dtas, "curve": "BN254CX", "nowTime": 1_795_252_323,
                "secretUrls": [1, 2].map { Self.secretURL($0, state.newest, identity) },
            ]
            return json(reply.merging(project(state, token)) { $1 })
        }
    }

    private func registerKey(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        guard let body = object(request), let token = body["dvsRegisterToken"] as? String,
            let publicKey = body["publicKey"] as? String, body["deviceName"] is String
        else { return .status(400) }
        let mpinID = state.withLock { state -> String? in
            guard state.keyTokens.remove(token) != nil else { return nil }
            return newIdentity("alice@example.com", &state)
        }
        guard let mpinID else { return .status(403) }
        return json(try offer(mpinID, publicKey).merging(["mpinId": mpinID]) { $1 })
    }

    // MARK: Permits

    private func firstPermit(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        let hashed = try MPinIdentity(hex: String(request.url.path.dropFirst("/rps/timePermit/".count))).hashed
        return json([
            "timePermit": try issuers[0].permitShare(of: 1, for: hashed), "date": Int(Self.day),
            "storageId": hex(hashed.bytes), "signature": String(repeating: "ab", count: 32), "message": "OK",
        ])
    }

    private func storedPermit(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        let parts = request.url.path.split(separator: "/")
        guard change({ $0.storedPermit }), parts.count == 4, parts[1] == "app1", parts[2] == "\(Self.day)" else {
            return .status(404)
        }
        return .json(try issuers[0].permitShare(of: 2, for: hashed(String(parts[3]))) + "\n")
    }

    // MARK: Authentication

    private func pass1(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        guard let body = object(request), let id = body["mpin_id"] as? String, let u = body["U"] as? String else {
            return .status(400)
        }
        let ut = body["UT"] as? String
        let scope = (body["scope"] as? [String])?.first
        guard
            dialect.isClassic
                ? ut != nil && body["pass"] as? Int == 1
                : scope != nil && body["dtas"] as? String == Self.dtas && (ut == "") == !isTrust
        else { return .status(400) }
        let proof = Proof(
            mpinID: id, publicKey: body["publicKey"] as? String ?? "", scope: scope ?? "", u: bytes(u),
            ut: ut.flatMap { $0.isEmpty ? nil : bytes($0) }, challenge: try .random())
        change { $0.commitments[id] = proof }
        return json(["y": hex(proof.challenge.bytes), "pass": 1])
    }

    private func pass2(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let id = body["mpin_id"] as? String, let v = body["V"] as? String,
            dialect.isClassic ? body["OTP"] is Bool && body["pass"] as? Int == 2 : body["OTP"] == nil,
            isTrust ? body["WID"] as? String != "0" : body["WID"] is String
        else { return .status(400) }
        return state.withLock { state in
            guard var proof = state.commitments.removeValue(forKey: id) else { return .status(400) }
            proof.v = bytes(v)
            proof.wantsPassword = body["OTP"] as? Bool == true && state.issuesPasswords
            let authOTT = (dialect.isClassic ? "" : "auth-") + randomHex()
            state.proofs[authOTT] = proof
            var reply: [String: Any] = ["authOTT": authOTT]
            if dialect.isClassic { reply["pass"] = 2 }
            if proof.wantsPassword { reply["OTP"] = "130265" }
            if state.asksForCards { reply["cardTimes"] = true }
            return json(reply)
        }
    }

    private func isRight(_ proof: Proof, _ state: State) -> Bool {
        guard let issuer = state.issuers[proof.mpinID + proof.publicKey],
            let identity = try? MPinIdentity(hex: proof.mpinID, key: proof.publicKey)
        else { return false }
        let received = TwoPassProof(
            identity: identity, commitment: proof.u, ut: proof.ut,
            day: proof.ut.flatMap { _ in try? EpochDay(Self.day) }, challenge: proof.challenge, response: proof.v)
        return issuers[issuer].serverSecret.verify(received) == .accepted
    }

    private func authenticate(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        guard let body = object(request) else { return .status(400) }
        let response = dialect.isClassic ? body["mpinResponse"] as? [String: Any] : body
        guard let response, let authOTT = response["authOTT"] as? String, isTrust == (body["wam"] as? String == "dvs")
        else { return .status(400) }
        if dialect == .mfaV1, response.count > 1 || !(body["authzRequest"] is Bool) { return .status(400) }
        return try state.withLock { state in
            guard let proof = state.proofs.removeValue(forKey: authOTT) else {
                return dialect.isClassic
                    ? .status(412) : .json(#"{"error":"INVALID_AUTH_SESSION","info":""}"#, status: 404)
            }
            guard isRight(proof, state), state.failures < 3 else {
                state.failures += 1
                let isLast = state.failures >= 3
                guard isTrust else { return .status(isLast ? 410 : 401) }
                return .json(
                    isLast
                        ? #"{"requestID":"7","error":{"code":"MPINID_REVOKED","info":""}}"#
                        : #"{"error":"UNSUCCESSFUL_AUTHENTICATION","info":""}"#, status: 401)
            }
            state.failures = 0
            let code = body["authzRequest"] as? Bool == true ? "b2c4-authorization" : nil
            return json(try dialect.isClassic ? classicVerdict(proof, code) : verdict(proof, code, &state))
        }
    }

    private func classicVerdict(_ proof: Proof, _ code: String?) -> [String: Any] {
        if proof.wantsPassword { return times() }
        if code != nil || dialect == .mfaV1 { return ["status": 200, "message": "OK", "code": code ?? ""] }
        return ["logoutURL": "/logout", "logoutData": ["sessionToken": "abc"]]
    }

    private func verdict(_ proof: Proof, _ code: String?, _ state: inout State) throws -> [String: Any] {
        var reply: [String: Any] = ["status": 200, "message": "OK"]
        reply["code"] = code
        switch proof.scope {
        case "otp": reply.merge(times(["OTP": "130265"])) { $1 }
        case "reg-code" where !isTrust: reply.merge(times(["otp": Self.registrationCode])) { $1 }
        case "jwt", "reg-code": reply["jwt"] = Self.jwt
        case "dvs-reg": reply["dvsRegister"] = keyRight(&state)
        default: break
        }
        guard state.renews, state.issuers[proof.mpinID + proof.publicKey] != state.newest else { return reply }
        if isTrust || proof.scope == "dvs-auth" {
            reply["dvsRegister"] = keyRight(&state)
        } else {
            let mpinID = newIdentity("alice@example.com", &state)
            state.issuers[mpinID] = state.newest
            let identity = try MPinIdentity(hex: mpinID)
            reply["renewSecret"] = [
                "mpin_id": mpinID, "clientSecretShare": try issuers[state.newest].share(of: 1, for: identity.hashed),
                "curve": "BN254CX", "dtas": Self.dtas, "cs2url": Self.secretURL(2, state.newest, identity),
            ]
        }
        return reply
    }

    private func times(_ digits: [String: Any] = [:]) -> [String: Any] {
        digits.merging(["expireTime": 1_795_252_437_000, "ttlSeconds": 60, "nowTime": 1_795_252_377_000]) { $1 }
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
        guard !dialect.isClassic else { return .json(#"{"PrerollId":"alice@example.com","AppName":"Shop"}"#) }
        switch status {
        case "wid":
            return json([
                "prerollId": "alice@example.com", "projectId": Self.projectID, "projectName": "Shop",
                "description": "Pay 5 EUR", "hash": dialect == .trust2025 ? change { $0.sessionHash } : "",
            ])
        case "signed":
            change { $0.signed += 1 }
            return .status(200)
        default: return json(["status": "OK", "message": ""])
        }
    }

    private func signingDetails() -> FakeTransport.Behaviour {
        let hash = change { $0.sessionHash }
        guard !hash.isEmpty else { return .status(404) }
        return json([
            "userID": "alice@example.com", "hash": hash, "description": "Pay 5 EUR", "status": "active",
            "expireTime": 1_795_252_999, "projectId": Self.projectID, "projectName": "Shop", "pinLength": 4,
        ])
    }

    private func handIn(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), body["id"] is String else { return .status(400) }
        if request.method == .put { change { $0.signed += 1 } }
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
    fileprivate init(hex mpinID: String, key: String = "") throws {
        let id = MPinID(bytes(mpinID))
        self = key.isEmpty ? MPinIdentity(id) : MPinIdentity(id, publicKey: try DVSPublicKey(bytes: bytes(key)))
    }
}

private func hashed(_ hash: String) throws -> HashedIdentity { try HashedIdentity(bytes: bytes(hash)) }

private func randomHex() -> String { hex((0..<16).map { _ in UInt8.random(in: 0...255) }) }

private func query(_ request: HTTPRequest, _ name: String) -> String {
    let items = (request.url.query ?? "").split(separator: "&").filter { $0.hasPrefix("\(name)=") }
    return items.first.map { String($0.dropFirst(name.count + 1)) } ?? ""
}
