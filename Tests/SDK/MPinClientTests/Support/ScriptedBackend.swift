// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import MPinCrypto
import Synchronization

/// The servers with real M-Pin cryptography: two D-TAs with a master secret each, registration, permits, verdicts. It
/// follows the protocol, independently of the client.
final class ScriptedBackend: Sendable {
    static let backendURL = "https://rps.test"
    static let day: UInt32 = 20778

    struct State {
        var isActive = false
        var forceActivate = false
        var registrations: [String: String] = [:]
        var nextSalt = 0
        var commitments: [String: (u: [UInt8], ut: [UInt8]?, challenge: Challenge)] = [:]
        var verdicts: [String: Bool] = [:]
        /// One-time tokens of logins for a one-time password.
        var passwordLogins: Set<String> = []
        var issuesPasswords = true
        /// Whether replies begin with a byte order mark.
        var putsMarks = false
        /// MIRACL's platform: no permits, companies, registrations for browser sessions, authorization codes.
        var isPlatform = false
        var failures = 0
        var usesPermits = true
        var asksForCards = false
        var storedPermit = false
    }

    private let state = Mutex(State())
    private let replies = Mutex<[String: SecretBytes]>([:])
    let transport: FakeTransport
    private let master1: MasterSecret
    private let master2: MasterSecret
    private let serverSecret: ServerSecret

    init(transport: FakeTransport = FakeTransport()) throws {
        self.transport = transport
        master1 = try .random()
        master2 = try .random()
        serverSecret = try ServerSecret(combining: master1.serverSecretShare(), master2.serverSecretShare())
        install()
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    var settings: [String: Any] {
        [
            "registerURL": "/rps/user", "signatureURL": "https://rps.test/rps/signature",
            "certivoxURL": "https://dta.test/dta/", "timePermitsURL": "wss://rps.test/rps/timePermit",
            "timePermitsStorageURL": "https://storage.test/storage", "appID": "app1",
            "mpinAuthServerURL": "/rps", "authenticateURL": "/mpinAuthenticate",
            "mobileAuthenticateURL": "/rps/authenticate", "codeStatusURL": "/rps/codeStatus",
            "usePermits": state.withLock { $0.usesPermits && !$0.isPlatform }, "accessNumberDigits": 7,
            "accessNumberUseCheckSum": true, "cSum": 1, "setDeviceName": true,
        ]
    }

    static let service =
        #"{"name":"Test","url":"https://rps.test","rps_prefix":"rps","logo_url":"","type":"online"}"#

    /// Installs the script's rules over those of a test.
    func install() {
        on(.get, "/service") { _ in .json(ScriptedBackend.service) }
        on(.get, "/rps/clientSettings") { [self] _ in json(settings) }
        on(.put, "/rps/user*") { [self] in register($0) }
        on(.get, "/rps/signature/*") { [self] in firstShare($0) }
        on(.get, "/dta/clientSecret") { [self] in secondShare($0) }
        on(.get, "/rps/timePermit/*") { [self] in firstPermit($0) }
        on(.get, "/storage/*") { [self] in storedPermit($0) }
        on(.get, "/dta/timePermit") { [self] in secondPermit($0) }
        on(.post, "/rps/codeStatus") { _ in .json(#"{"PrerollId":"alice@example.com","AppName":"Shop"}"#) }
        on(.post, "/rps/pass1") { [self] in pass1($0) }
        on(.post, "/rps/pass2") { [self] in pass2($0) }
        on(.post, "/rps/authenticate") { [self] in authenticate($0) }
        on(.post, "/mpinAuthenticate") { [self] in authenticate($0) }
        on(.post, "/logout") { request in
            .status(object(request)?["sessionToken"] as? String == "abc" ? 200 : 400)
        }
    }

    /// The body of the last good reply to a path.
    func lastReply(to path: String) -> SecretBytes? { replies.withLock { $0[path] } }

    private func on(_ method: HTTPRequest.Method, _ path: String, handler: @escaping FakeTransport.Handler) {
        transport.on(method, path) { [self] request in
            if let refusal = platformRefusal(request) { return refusal }
            var behaviour = handler(request)
            if case .reply(let response) = behaviour, state.withLock({ $0.putsMarks }) {
                let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
                let body = SecretBytes(copying: mark + Array(text(response.body).utf8))
                behaviour = .reply(HTTPResponse(status: response.status, headers: response.headers, body: body))
            }
            if case .reply(let response) = behaviour, response.status == 200 {
                replies.withLock { $0[path] = response.body }
            }
            return behaviour
        }
    }

    /// The platform identifies companies by one header, and only before it knows the client by the other.
    private func platformRefusal(_ request: HTTPRequest) -> FakeTransport.Behaviour? {
        guard state.withLock({ $0.isPlatform }) else { return nil }
        let names = Set(request.headers.map(\.name))
        guard names.contains("X-MIRACL-CID") else { return .status(406) }
        let isDiscovery = request.url.path == "/service" || request.url.path == "/rps/clientSettings"
        return names.contains("X-MIRACL-Client-ID") && !isDiscovery ? .status(400) : nil
    }

    // MARK: Registration

    private func register(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let userID = body["userId"] as? String else { return .status(400) }
        let isPlatform = state.withLock { $0.isPlatform }
        if isPlatform, body["wid"] as? String != text(accessCode) { return .status(406) }
        let known = request.url.path.dropFirst("/rps/user".count).dropFirst()
        return state.withLock { state in
            var mpinID = String(known)
            if let regOTT = state.registrations[mpinID] {
                guard body["regOTT"] as? String == regOTT else { return .status(400) }
            } else {
                state.nextSalt += 1
                mpinID = hex(Array(#"{"userID": "\#(userID)", "salt": "\#(state.nextSalt)"}"#.utf8))
                state.registrations[mpinID] = hex((0..<16).map { _ in UInt8.random(in: 0...255) })
                state.isActive = state.forceActivate
            }
            let times: [String: Any] =
                isPlatform
                ? ["expireTime": 1_795_255_923, "nowTime": 1_795_252_323, "customerId": "c1", "appId": "OIDC"]
                : ["expireTime": "2026-11-21T10:12:03.465589", "nowTime": "2026-11-21T09:12:03.465589"]
            let reply: [String: Any] = [
                "mpinId": mpinID, "regOTT": state.registrations[mpinID] ?? "", "active": state.forceActivate,
            ]
            return json(reply.merging(times) { $1 })
        }
    }

    private func firstShare(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        let mpinID = String(request.url.path.dropFirst("/rps/signature/".count))
        let allowed = state.withLock { state -> Int in
            guard let regOTT = state.registrations[mpinID], query(request, "regOTT") == regOTT else { return 400 }
            guard state.isActive else { return 401 }
            state.registrations[mpinID] = nil
            return 200
        }
        guard allowed == 200 else { return .status(allowed) }
        return attempt {
            let hashed = MPinIdentity(MPinID(bytes(mpinID))).hashed
            let share = try master1.clientSecretShare(for: hashed)
            return json([
                "clientSecretShare": share.withBytes(hex),
                "params": "mobile=1&expires=2026%3A&hash_mpin_id=\(hex(hashed.bytes))",
            ])
        }
    }

    private func secondShare(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        attempt {
            let hashed = try HashedIdentity(bytes: bytes(query(request, "hash_mpin_id")))
            return json(["clientSecret": try master2.clientSecretShare(for: hashed).withBytes(hex), "message": "OK"])
        }
    }

    // MARK: Permits

    private func firstPermit(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        attempt {
            let hashed = MPinIdentity(MPinID(bytes(String(request.url.path.dropFirst("/rps/timePermit/".count)))))
                .hashed
            let share = try master1.timePermitShare(for: hashed, on: EpochDay(ScriptedBackend.day))
            return json([
                "timePermit": share.withBytes(hex), "date": Int(ScriptedBackend.day), "storageId": hex(hashed.bytes),
                "signature": String(repeating: "ab", count: 32), "message": "OK",
            ])
        }
    }

    private func storedPermit(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard state.withLock({ $0.storedPermit }) else { return .status(404) }
        return attempt {
            let parts = request.url.path.split(separator: "/")
            guard parts.count == 4, parts[1] == "app1", parts[2] == "\(ScriptedBackend.day)" else {
                return .status(404)
            }
            let share = try master2.timePermitShare(
                for: HashedIdentity(bytes: bytes(String(parts[3]))), on: EpochDay(ScriptedBackend.day))
            return .json(share.withBytes(hex) + "\n")
        }
    }

    private func secondPermit(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        attempt {
            let share = try master2.timePermitShare(
                for: HashedIdentity(bytes: bytes(query(request, "hash_mpin_id"))), on: EpochDay(ScriptedBackend.day))
            return json(["timePermit": share.withBytes(hex)])
        }
    }

    // MARK: Authentication

    private func pass1(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let id = body["mpin_id"] as? String, let u = body["U"] as? String,
            let ut = body["UT"] as? String, body["pass"] as? Int == 1
        else { return .status(403) }
        return attempt {
            let challenge = try Challenge.random()
            state.withLock { $0.commitments[id] = (bytes(u), ut.isEmpty ? nil : bytes(ut), challenge) }
            return json(["y": hex(challenge.bytes), "pass": 1])
        }
    }

    private func pass2(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let id = body["mpin_id"] as? String, let v = body["V"] as? String,
            body["WID"] is String, let wantsPassword = body["OTP"] as? Bool, body["pass"] as? Int == 2
        else { return .status(403) }
        guard let sent = state.withLock({ $0.commitments.removeValue(forKey: id) }) else { return .status(500) }
        return attempt {
            let result = serverSecret.verify(
                identity: MPinIdentity(MPinID(bytes(id))), commitment: sent.u, ut: sent.ut,
                day: sent.ut == nil ? nil : try EpochDay(ScriptedBackend.day), challenge: sent.challenge,
                response: bytes(v))
            let authOTT = hex((0..<16).map { _ in UInt8.random(in: 0...255) })
            let isIssued = state.withLock { state in
                state.verdicts[authOTT] = result == .accepted
                guard wantsPassword, state.issuesPasswords else { return false }
                state.passwordLogins.insert(authOTT)
                return true
            }
            var reply: [String: Any] = ["authOTT": authOTT, "pass": 2]
            if isIssued { reply["OTP"] = "130265" }
            if state.withLock({ $0.asksForCards }) { reply["cardTimes"] = true }
            return json(reply)
        }
    }

    private func authenticate(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let response = body["mpinResponse"] as? [String: Any],
            let authOTT = response["authOTT"] as? String
        else { return .status(400) }
        return state.withLock { state in
            if state.isPlatform, response.count > 1 || !(body["authzRequest"] is Bool) { return .status(400) }
            guard let isRight = state.verdicts.removeValue(forKey: authOTT) else { return .status(412) }
            guard isRight, state.failures < 3 else {
                state.failures += 1
                return .status(state.failures >= 3 ? 410 : 401)
            }
            state.failures = 0
            if state.passwordLogins.contains(authOTT) {
                return json(["expireTime": 1_795_252_437_000, "ttlSeconds": 60, "nowTime": 1_795_252_377_000])
            }
            if state.isPlatform || body["authzRequest"] as? Bool == true {
                let code = body["authzRequest"] as? Bool == true ? "b2c4-authorization" : ""
                return json(["status": 200, "message": "OK", "code": code])
            }
            return json(["logoutURL": "/logout", "logoutData": ["sessionToken": "abc"]])
        }
    }
}

// MARK: Encodings

func json(_ object: [String: Any]) -> FakeTransport.Behaviour {
    guard let data = try? JSONSerialization.data(withJSONObject: object) else { return .status(500) }
    return .json(String(decoding: data, as: UTF8.self))
}

func object(_ request: HTTPRequest) -> [String: Any]? {
    guard let body = request.body else { return nil }
    let data = body.withBytes { bytes in Data(bytes.indices.map { bytes[$0] }) }
    return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
}

func text(_ bytes: SecretBytes) -> String {
    bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
}

func text(_ code: AccessCode) -> String {
    code.withCharacters { characters in String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self) }
}

func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

func hex(_ bytes: Span<UInt8>) -> String { hex(bytes.indices.map { bytes[$0] }) }

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}

private func query(_ request: HTTPRequest, _ name: String) -> String {
    let items = (request.url.query ?? "").split(separator: "&").filter { $0.hasPrefix("\(name)=") }
    return items.first.map { String($0.dropFirst(name.count + 1)) } ?? ""
}

private func attempt(_ body: () throws -> FakeTransport.Behaviour) -> FakeTransport.Behaviour {
    (try? body()) ?? .status(500)
}
