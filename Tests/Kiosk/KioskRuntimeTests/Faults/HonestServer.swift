// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import MPinCrypto
import Synchronization

/// A classic server with real M-Pin cryptography, which knows what it has accepted. Service, backend and both D-TAs
/// have one address.
final class HonestServer: Sendable {
    static let site = "https://login.example.com"

    struct State {
        /// The user that a login page names.
        var namedUser = ""
        /// One-time tokens of registrations by mpin_id.
        var registrations: [String: String] = [:]
        var salt = 0
        /// Logins after pass 1, by mpin_id.
        var commitments: [String: Proof] = [:]
        /// Proofs by their one-time token.
        var proofs: [String: Proof] = [:]
        /// Wrong PINs in a row, by mpin_id.
        var failures: [String: Int] = [:]
        /// Identities that were refused for good.
        var blocked: Set<String> = []
        /// Access codes of accepted logins.
        var accepted: Set<String> = []
        /// Tokens, shares and responses.
        var secrets: Set<String> = []
        /// Whether the server answers every proof with a success, as for somebody else's login.
        var lies = false
    }

    struct Proof {
        let mpinID: String
        let commitment: [UInt8]
        let challenge: Challenge
        var response: [UInt8] = []
        var accessCode = ""
    }

    private let state = Mutex(State())

    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

    /// The mpin_id of a user's identity.
    static func mpinID(_ userID: String, _ salt: Int) -> String {
        hex(Array(#"{"userID": "\#(userID)", "salt": "\#(salt)"}"#.utf8))
    }

    /// Whether an identity of this user was refused for good.
    func hasBlocked(_ userID: String) -> Bool {
        let name = hex(Array(#""\#(userID)""#.utf8))
        return state.withLock { $0.blocked.contains { $0.contains(name) } }
    }

    /// The response of pass 2 in a request; nil in other requests.
    static func proof(_ request: HTTPRequest) -> String? {
        request.url.path == "/rps/pass2" ? object(request)?["V"] as? String : nil
    }

    /// Installs the script's rules.
    func install(on transport: FakeTransport) {
        func on(
            _ method: HTTPRequest.Method, _ path: String,
            _ handler: @escaping @Sendable (HTTPRequest) throws -> FakeTransport.Behaviour
        ) { transport.on(method, path) { (try? handler($0)) ?? .status(500) } }
        on(.get, "/service") { _ in
            json(["name": "Example", "url": Self.site, "rps_prefix": "rps", "logo_url": "", "type": "online"])
        }
        on(.get, "/rps/clientSettings") { _ in json(Self.settings) }
        on(.post, "/rps/codeStatus") { [self] _ in
            json(["PrerollId": state.withLock { $0.namedUser }, "AppName": "Shop"])
        }
        on(.put, "/rps/user*") { [self] in register($0) }
        on(.get, "/rps/signature/*") { [self] in try firstShare($0) }
        on(.get, "/dta/clientSecret") { [self] request in
            let hash = try HashedIdentity(bytes: bytes(query(request, "hash_mpin_id")))
            let share = try Issuers.shared.second.clientSecretShare(for: hash).withBytes(hex)
            keep(secret: share)
            return json(["clientSecret": share, "message": "OK"])
        }
        on(.post, "/rps/pass1") { [self] in try pass1($0) }
        on(.post, "/rps/pass2") { [self] in pass2($0) }
        for path in ["/rps/authenticate", "/mpinAuthenticate"] { on(.post, path) { [self] in authenticate($0) } }
    }

    private static var settings: [String: Any] {
        [
            "registerURL": "/rps/user", "signatureURL": "\(site)/rps/signature", "certivoxURL": "\(site)/dta/",
            "mpinAuthServerURL": "/rps", "authenticateURL": "/mpinAuthenticate",
            "mobileAuthenticateURL": "/rps/authenticate", "codeStatusURL": "/rps/codeStatus", "usePermits": false,
            "appID": "app1",
        ]
    }

    private func keep(secret: String) { state.withLock { _ = $0.secrets.insert(secret) } }

    private func register(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let userID = body["userId"] as? String else { return .status(400) }
        return state.withLock { state in
            var mpinID = String(request.url.path.dropFirst("/rps/user/".count))
            if let token = state.registrations[mpinID] {
                guard body["regOTT"] as? String == token else { return .status(400) }
            } else {
                state.salt += 1
                mpinID = Self.mpinID(userID, state.salt)
                state.registrations[mpinID] = newToken(&state)
            }
            return json([
                "mpinId": mpinID, "regOTT": state.registrations[mpinID] ?? "", "active": false,
                "expireTime": "2026-11-21T10:12:03.465589", "nowTime": "2026-11-21T09:12:03.465589",
            ])
        }
    }

    private func newToken(_ state: inout State) -> String {
        let token = hex((0..<16).map { _ in UInt8.random(in: 0...255) })
        state.secrets.insert(token)
        return token
    }

    private func firstShare(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        let mpinID = String(request.url.path.dropFirst("/rps/signature/".count))
        let isKnown = state.withLock { state in
            guard let token = state.registrations[mpinID], query(request, "regOTT") == token else { return false }
            state.registrations[mpinID] = nil
            return true
        }
        guard isKnown else { return .status(400) }
        let hashed = MPinIdentity(MPinID(bytes(mpinID))).hashed
        let share = try Issuers.shared.first.clientSecretShare(for: hashed).withBytes(hex)
        keep(secret: share)
        return json(["clientSecretShare": share, "params": "mobile=1&hash_mpin_id=\(hex(hashed.bytes))"])
    }

    private func pass1(_ request: HTTPRequest) throws -> FakeTransport.Behaviour {
        guard let body = object(request), let mpinID = body["mpin_id"] as? String, let u = body["U"] as? String else {
            return .status(400)
        }
        let proof = Proof(mpinID: mpinID, commitment: bytes(u), challenge: try .random())
        state.withLock { $0.commitments[mpinID] = proof }
        return json(["y": hex(proof.challenge.bytes), "pass": 1])
    }

    private func pass2(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let body = object(request), let mpinID = body["mpin_id"] as? String, let v = body["V"] as? String,
            let accessCode = body["WID"] as? String
        else { return .status(400) }
        return state.withLock { state in
            state.secrets.insert(v)
            guard var proof = state.commitments.removeValue(forKey: mpinID) else { return .status(400) }
            (proof.response, proof.accessCode) = (bytes(v), accessCode)
            let token = newToken(&state)
            state.proofs[token] = proof
            return json(["authOTT": token, "pass": 2])
        }
    }

    private func authenticate(_ request: HTTPRequest) -> FakeTransport.Behaviour {
        guard let reply = object(request)?["mpinResponse"] as? [String: Any], let token = reply["authOTT"] as? String
        else { return .status(400) }
        return state.withLock { state in
            guard !state.lies else { return json(["message": "OK"]) }
            guard let proof = state.proofs.removeValue(forKey: token) else { return .status(412) }
            guard isRight(proof), state.failures[proof.mpinID, default: 0] < 3 else {
                state.failures[proof.mpinID, default: 0] += 1
                guard state.failures[proof.mpinID, default: 0] >= 3 else { return .status(401) }
                state.blocked.insert(proof.mpinID)
                return .status(410)
            }
            state.failures[proof.mpinID] = nil
            state.accepted.insert(proof.accessCode)
            return json(["message": "OK"])
        }
    }

    private func isRight(_ proof: Proof) -> Bool {
        let received = TwoPassProof(
            identity: MPinIdentity(MPinID(bytes(proof.mpinID))), commitment: proof.commitment, ut: nil, day: nil,
            challenge: proof.challenge, response: proof.response)
        return Issuers.shared.serverSecret.verify(received) == .accepted
    }
}

/// A pair of D-TAs and the resulting server secret, the same for all servers here.
private final class Issuers: Sendable {
    static let shared: Issuers = {
        do { return try Issuers() } catch { fatalError("no master secrets: \(error)") }
    }()

    let first: MasterSecret
    let second: MasterSecret
    let serverSecret: ServerSecret

    private init() throws {
        first = try .random()
        second = try .random()
        serverSecret = try ServerSecret(combining: first.serverSecretShare(), second.serverSecretShare())
    }
}

private func json(_ object: [String: Any]) -> FakeTransport.Behaviour {
    guard let data = try? JSONSerialization.data(withJSONObject: object) else { return .status(500) }
    return .json(String(decoding: data, as: UTF8.self))
}

private func object(_ request: HTTPRequest) -> [String: Any]? {
    let text = request.body?.withBytes { bytes in bytes.indices.map { bytes[$0] } } ?? []
    return (try? JSONSerialization.jsonObject(with: Data(text))) as? [String: Any]
}

private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

private func hex(_ bytes: Span<UInt8>) -> String { hex(bytes.indices.map { bytes[$0] }) }

private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}

private func query(_ request: HTTPRequest, _ name: String) -> String {
    let items = (request.url.query ?? "").split(separator: "&").filter { $0.hasPrefix("\(name)=") }
    return items.first.map { String($0.dropFirst(name.count + 1)) } ?? ""
}
