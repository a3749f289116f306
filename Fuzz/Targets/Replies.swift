// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Synchronization

extension FuzzTarget {
    /// A hostile backend of each dialect: every call of the SDK, answered by the input.
    static let replies = FuzzTarget(name: "replies", longest: 40_000) { input in
        let dialect = DialectName.allCases[input.number(below: DialectName.allCases.count)]
        let network = Network(input)
        let storage = InMemoryStorage()
        let mpin = MPin(
            transport: network, storage: storage, trust: Laboratory.trust,
            configuration: MPin.Configuration(
                companyID: "lab-company-id", clientVersion: "1",
                pinnedDialects: dialect == .milagro ? [:] : ["127.0.0.1": dialect]),
            clock: HastyClock(), wallClock: { 1_795_694_400 }, logger: Laboratory.logger)
        Pump.shared.run { await Journey(mpin: mpin, network: network).walk() }
        network.check()
        for identity in Laboratory.identities(of: storage) {
            expect(identity.record.count <= StoredIdentity.maximumRecordLength, "a record's length is bounded")
        }
    }
}

/// Constants of the recordings.
enum Laboratory {
    static let pin = "736251"
    static let service = "http://127.0.0.1:9005"
    static let backend = "http://127.0.0.1:9011"
    static let code = "7a65de7b2ea743e795255dfe7baa1c05"
    static let trust = TrustPolicy(
        lines: [
            "127.0.0.1:9005 -> 127.0.0.1:9011 127.0.0.1:9003", "127.0.0.1:9011 -> 127.0.0.1:9005 127.0.0.1:9003",
        ].compactMap { try? TrustLine($0) }, allowsLoopbackHTTP: true)
    static let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }

    static func typedPIN() -> Pin? {
        var entry = PinEntry()
        for digit in pin.utf8 { entry.append(digit - 0x30) }
        return Pin(entry)
    }

    static func identities(of storage: InMemoryStorage) -> [StoredIdentity] {
        let found = Mutex<[StoredIdentity]>([])
        let list = Held(found)
        Pump.shared.run {
            let all = (try? await storage.identities()) ?? []
            list.value.withLock { $0 = all }
        }
        return list.value.withLock { $0 }
    }
}

private final class Held<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: consuming Mutex<Value>) { self.value = value }
}

/// A clock on which nobody waits: a sleep ends at once, and the time goes on by as much.
final class HastyClock: Clock {
    private let clock = ManualClock()

    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance _: Duration?) async throws {
        clock.advance(by: max(.zero, clock.now.duration(to: deadline)))
    }
}

/// The calls of a device's life, each after any replies to the earlier ones.
private struct Journey {
    let mpin: MPin
    let network: Network

    func walk() async {
        let backend = sure(try? WebAddress(Laboratory.backend))
        let code = sure(AccessCode(Laboratory.code))
        try? await mpin.initialize()
        _ = try? await mpin.serviceDetails(at: sure(try? WebAddress(Laboratory.service)))
        try? await mpin.setBackend(backend)
        _ = try? await mpin.sessionDetails(for: code)
        var user = await mpin.makeNewUser("alice@example.com", deviceName: "kiosk")
        _ = try? await mpin.startVerification(of: user)
        user =
            (try? await mpin.startRegistration(
                of: user, activateCode: SecretBytes(copying: Array("c0ffee00c0ffee00c0ffee00c0ffee00".utf8)),
                accessCode: code)) ?? user
        user = (try? await mpin.confirmRegistration(of: user)) ?? user
        user = (try? await mpin.finishRegistration(of: user, pin: Laboratory.typedPIN())) ?? user
        network.forgetVerdict()
        try? await mpin.startAuthentication(of: user, accessCode: code)
        if (try? await mpin.finishAuthentication(of: user, pin: Laboratory.typedPIN(), accessCode: code)) != nil {
            expect(network.hasVerdict, "nobody is logged in without the server's word")
        }
        network.forgetVerdict()
        try? await mpin.startAuthentication(of: user)
        if (try? await mpin.finishAuthentication(of: user, pin: Laboratory.typedPIN())) != nil {
            expect(network.hasVerdict, "nobody is logged in without the server's word")
        }
        try? await mpin.startAuthenticationOTP(of: user)
        _ = try? await mpin.finishAuthenticationOTP(of: user, pin: Laboratory.typedPIN())
        try? await mpin.startAuthenticationRegCode(of: user)
        _ = try? await mpin.finishAuthenticationRegCode(of: user, pin: Laboratory.typedPIN())
        try? await mpin.startRegistrationDVS(of: user, pin: Laboratory.typedPIN())
        _ = try? await mpin.finishRegistrationDVS(of: user, pinDVS: Laboratory.typedPIN())
        if let session = try? await mpin.signingSessionDetails(for: code) {
            _ = try? await mpin.sign(session, as: user, pin: Laboratory.typedPIN())
            try? await mpin.abortSigningSession(session)
        }
        try? await mpin.logout(user)
        try? await mpin.abortSession(code)
        let again = (try? await mpin.renewRegistration(of: user)) ?? user
        _ = try? await mpin.confirmRegistration(of: again)
        try? await mpin.deleteUser(user)
    }
}

/// A network whose replies the input chooses: recorded ones, recorded ones with changed bytes, or any bytes.
final class Network: HTTPTransport {
    private struct State {
        var input: Input
        var requests = 0
        var lastStatus: Int?
        var checked = 0
        var leak: String?
    }

    private let state: Mutex<State>
    let checksPins = true

    init(_ input: Input) { state = Mutex(State(input: input)) }

    /// Lends the input, for what else it chooses.
    func withInput<Result>(_ body: (inout sending Input) -> sending Result) -> sending Result {
        state.withLock { body(&$0.input) }
    }

    /// Whether the last login was accepted by the server.
    var hasVerdict: Bool { state.withLock { $0.lastStatus.map { (200...299).contains($0) } ?? false } }
    /// The number of proofs that a server checked.
    var checked: Int { state.withLock { $0.checked } }

    func forgetVerdict() { state.withLock { $0.lastStatus = nil } }

    func check() {
        let leak = state.withLock { $0.leak }
        expect(leak == nil, "no PIN leaves the device: \(leak ?? "")")
    }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let reply = state.withLock { state in Network.reply(request, &state) }
        guard let reply else {
            throw HTTPTransportError(.transferFailed, requestMayHaveBeenSent: true, detail: "the input has ended")
        }
        return reply
    }

    private static func reply(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse? {
        state.requests += 1
        expect(state.requests < 1000, "the number of requests is bounded")
        let sent =
            "\(request.url) "
            + (request.body.map {
                String(decoding: $0.withBytes { span in span.indices.map { span[$0] } }, as: UTF8.self)
            } ?? "")
        if sent.contains("\"\(Laboratory.pin)\"") || sent.contains("=\(Laboratory.pin)") {
            state.leak = "\(request.url.path)"
        }
        guard !state.input.isAtEnd else { return nil }
        let choice = state.input.byte()
        var status: Int
        var body: [UInt8]
        var headers: [HTTPHeader] = []
        if choice < 0xC0, let recorded = Recordings.reply(to: request, Int(choice)) {
            (status, body) = recorded
            if choice & 1 == 1 {
                for _ in 0..<1 + state.input.number(below: 4) where !body.isEmpty {
                    body[Int(state.input.word()) % body.count] = state.input.byte()
                }
            }
        } else {
            status =
                [200, 200, 201, 204, 302, 400, 401, 403, 404, 408, 410, 412, 429, 500, 503, 0][
                    state.input.number(below: 16)]
            if status == 429 || status == 503 {
                headers.append(HTTPHeader("Retry-After", String(decoding: state.input.take(8), as: UTF8.self)))
            }
            guard status != 0 else { return nil }
            body = state.input.piece()
        }
        let path = request.url.path
        if path.hasSuffix("uthenticate") {
            state.lastStatus = status
            if status != 429, status != 503 { state.checked += 1 }
        }
        return HTTPResponse(
            status: status, headers: headers, body: SecretBytes(copying: body.prefix(HTTPRequest.maximumReplyLength)))
    }
}

/// Replies of the classic servers, from the recordings that the SDK's tests play back, and some of today's platform.
enum Recordings {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Tests/SDK/MPinClientTests/Recordings")

    static func reply(to request: HTTPRequest, _ choice: Int) -> (Int, [UInt8])? {
        let candidates = all[key(request.method.rawValue, request.url.path)] ?? []
        return candidates.isEmpty ? nil : candidates[(choice >> 1) % candidates.count]
    }

    private static func key(_ method: String, _ path: String) -> String {
        let names = path.split(separator: "/").map(String.init)
        let name = names.first { known.contains($0) } ?? names.last ?? ""
        return "\(method) \(name)"
    }

    private static let known: Set<String> = [
        "service", "clientSettings", "user", "signature", "timePermit", "clientSecret", "storage", "pass1", "pass2",
        "authenticate", "mpinAuthenticate", "codeStatus", "logout", "project-configuration", "confirmation",
        "registration", "dta",
    ]

    private static let all: [String: [(Int, [UInt8])]] = {
        var all: [String: [(Int, [UInt8])]] = [:]
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        var shares: [String] = []
        for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
            guard let data = try? Data(contentsOf: file),
                let calls = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
            else { continue }
            for case let exchange as [String: Any] in calls.flatMap({ $0["exchanges"] as? [Any] ?? [] }) {
                guard let method = exchange["method"] as? String, let url = exchange["url"] as? String,
                    let status = exchange["status"] as? Int, let reply = exchange["reply"] as? String
                else { continue }
                let path = URL(string: url)?.path ?? "/"
                all[key(method, path), default: []].append((status, Array(reply.utf8)))
                if let object = try? JSONSerialization.jsonObject(with: Data(reply.utf8)) as? [String: Any],
                    let share = object["clientSecret"] as? String
                {
                    shares.append(share)
                }
            }
        }
        guard let share = shares.first else { fatalError("the recordings are missing: \(folder.path)") }
        let dtas = Data(#"["\#(String(repeating: "ab", count: 32))","\#(String(repeating: "cd", count: 32))"]"#.utf8)
            .base64EncodedString()
        let mpinID = "7b22757365724944223a22616c696365406578616d706c652e636f6d227d"
        let platform: [(String, String)] = [
            ("GET project-configuration", #"{"id":"lab-company-id"}"#),
            ("POST confirmation", #"{"actToken":"c0ffee00c0ffee00c0ffee00c0ffee00","projectId":"lab-company-id"}"#),
            (
                "PUT user",
                #"{"mpinId":"\#(mpinID)","regOTT":"ott1","projectId":"lab-company-id","active":true,"expireTime":1795255923,"nowTime":1795252323,"customerId":"c1","appId":"OIDC","verificationType":"em","pinLength":6}"#
            ),
            (
                "GET signature",
                #"{"dvsClientSecretShare":"\#(share)","clientSecretShare":"\#(share)","cs2url":"http://127.0.0.1:9003/dta/2","curve":"BN254CX","dtas":"\#(dtas)"}"#
            ),
            (
                "POST registration",
                #"{"mpinId":"\#(mpinID)","projectId":"lab-company-id","dtas":"\#(dtas)","curve":"BN254CX","secretUrls":["http://127.0.0.1:9003/dta/1","http://127.0.0.1:9003/dta/2"],"verificationType":"em","nowTime":1795252323,"pinLength":6}"#
            ),
            ("GET dta", #"{"clientSecret":"\#(share)","dvsClientSecret":"\#(share)","message":"OK"}"#),
            (
                "POST codeStatus",
                #"{"status":"wid","userId":"alice@example.com","appName":"Shop","prerollId":"alice@example.com","hash":"\#(String(repeating: "ab", count: 32))","description":"A document","status":"active","expireTime":1795299999}"#
            ),
            ("POST authenticate", #"{"status":200,"message":"OK","jwt":"eyJh.eyJz.c2ln"}"#),
            ("POST authenticate", #"{"status":200,"message":"OK","dvsRegister":{"token":"t1","curve":"BN254CX"}}"#),
            ("POST authenticate", #"{"error":"UNSUCCESSFUL_AUTHENTICATION","info":""}"#),
        ]
        for (key, reply) in platform {
            all[key, default: []].append((reply.contains("error") ? 401 : 200, Array(reply.utf8)))
        }
        return all
    }()
}
