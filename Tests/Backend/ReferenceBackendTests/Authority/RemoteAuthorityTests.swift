// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import MPinCrypto
import Patience
import Synchronization
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The possible answers of a D-TA elsewhere. Each fault has a name in the log, the caller is told to try again, and
/// nothing of the answer is kept.
@Suite struct RemoteAuthorityTests {
    private let identity = MPinIdentity(MPinID(Array("alice".utf8))).hashed
    private let other = MPinIdentity(MPinID(Array("bob".utf8))).hashed

    /// Records the result of each request.
    private final class Watch: BackendObserver {
        private let heard = Mutex<[Bool]>([])

        func checked(_ proof: CheckedProof) {}
        func asked(authority number: Int, answers: Bool) { heard.withLock { $0.append(answers) } }
        func take() -> [Bool] {
            heard.withLock { heard in
                defer { heard = [] }
                return heard
            }
        }
    }

    private struct Asked {
        let authority: RemoteAuthority
        let log = LogCapture()

        let observer = Watch()

        init(
            _ scripted: ScriptedAuthority, _ pair: ScriptedAuthorities, address: String? = nil,
            deadline: Duration = .seconds(60), capacity: Int = AuthorityConnection.capacity
        ) throws {
            authority = RemoteAuthority(
                number: 1, url: nil, credentials: scripted.credentials,
                connection: AuthorityConnection(
                    address: address ?? scripted.url, certificates: nil, deadline: deadline, capacity: capacity),
                mark: IssuerMark(path: pair.state.path + "/issuer"), clock: pair.clock, observer: observer,
                logger: log.logger)
        }

        /// - Parameter kind: the fault in the log; nil for none.
        func expect(_ kind: String?, sourceLocation: SourceLocation = #_sourceLocation, _ ask: () async throws -> Void)
            async
        {
            var code: Int?
            do { try await ask() } catch { code = (error as? Refusal)?.code }
            #expect(code == (kind == nil ? nil : 503), sourceLocation: sourceLocation)
            let line = log.text.split(separator: "\n").last { $0.contains("a D-TA gave no share") }
            if let kind {
                #expect(line?.contains("\"kind\": \(kind)") == true, "\(line ?? "")", sourceLocation: sourceLocation)
            } else {
                #expect(line == nil, sourceLocation: sourceLocation)
            }
        }
    }

    @Test func anHonestOneIsAskedOnceADayForAPermit() async throws {
        try await withScriptedAuthorities { [identity] pair in
            let scripted = pair.first
            let asked = try Asked(scripted, pair)
            let day = try pair.clock.now.day
            for _ in 0..<2 {
                let permit = try await asked.authority.timePermitShare(for: identity, on: day)
                #expect(permit == (try scripted.authority.timePermitShare(for: identity, on: day)))
            }
            #expect(scripted.takeRequests() == ["serverSecret", "timePermit"])
            for _ in 0..<2 {
                let share = try await asked.authority.clientSecretShare(for: identity)
                #expect(share == (try scripted.authority.clientSecretShare(for: identity)))
            }
            #expect(scripted.takeRequests() == ["clientSecret", "clientSecret"])
            #expect(try await asked.authority.serverSecretShare() == scripted.authority.serverSecretShare())
            #expect(scripted.takeRequests().isEmpty)
        }
    }

    /// Bytes that are no share, and the names of the faults.
    private static let rubbish: [(ScriptedAuthority.Answer, String)] = [
        (.hangUp, "no-reply"), (.wire("\u{1}\u{2}\r\n\r\n"), "no-reply"),
        (.wire("HTTP/1.1 200 OK\r\nContent-Length: 400\r\nConnection: close\r\n\r\nshort"), "late"),
        (.silence, "late"), (.drip, "late"),
        (.wire(ScriptedAuthority.wire(500, "")), "failed"), (.wire(ScriptedAuthority.wire(503, "{}")), "failed"),
        (.wire(ScriptedAuthority.wire(302, "", headers: "Location: http://127.0.0.1/\r\n")), "redirected"),
        (.wire(ScriptedAuthority.wire(401, #"{"message":"Invalid signature"}"#)), "refused"),
        (.wire(ScriptedAuthority.wire(204, "")), "refused"),
        (.body(""), "malformed"), (.body("no JSON"), "malformed"), (.body("[]"), "malformed"),
        (.body("{}"), "malformed"), (.body(#"{"clientSecret":7}"#), "malformed"),
        (.body(#"{"clientSecret":"0x"}"#), "malformed"), (.body(#"{"clientSecret":"04f"}"#), "malformed"),
        (.body(#"{"clientSecret":""}"#), "wrong-length"), (.body(#"{"clientSecret":"04"}"#), "wrong-length"),
        (.body(#"{"clientSecret":"\#(String(repeating: "04", count: 66))"}"#), "wrong-length"),
        (.body(#"{"clientSecret":"04\#(String(repeating: "00", count: 64))"}"#), "no-point"),
        (.body(#"{"clientSecret":"04\#(String(repeating: "07", count: 64))"}"#), "no-point"),
        (.body(#"{"clientSecret":"\#(String(repeating: "04", count: 5000))"}"#), "reply-too-long"),
    ]

    @Test func rubbishIsNamedAndNotKept() async throws {
        try await withScriptedAuthorities { [identity] pair in
            for (answer, kind) in Self.rubbish {
                let asked = try Asked(pair.first, pair, deadline: kind == "late" ? .seconds(1) : .seconds(60))
                pair.first.answer { $0 == "clientSecret" ? answer : .honest }
                await asked.expect(kind) { _ = try await asked.authority.clientSecretShare(for: identity) }
                // The next request is not affected.
                pair.first.answer { _ in .honest }
                let share = try await asked.authority.clientSecretShare(for: identity)
                #expect(share == (try pair.first.authority.clientSecretShare(for: identity)), "\(kind)")
            }
        }
    }

    @Test func aShareForAnotherIdentityOrDayIsNotTaken() async throws {
        try await withScriptedAuthorities { [identity, other] pair in
            let asked = try Asked(pair.first, pair)
            let half = pair.first.authority
            let day = try pair.clock.now.day
            let tomorrow = try EpochDay(day.value + 1)
            let stranger = pair.second.authority
            let shares = [
                hex(try half.clientSecretShare(for: other)), hex(try stranger.clientSecretShare(for: identity)),
                hex(try half.timePermitShare(for: identity, on: tomorrow)),
                hex(try half.timePermitShare(for: other, on: day)),
            ]
            for share in shares {
                pair.first.answer { $0 == "serverSecret" ? .honest : .body("{\"\($0)\":\"\(share)\"}") }
                await asked.expect("other-share") { _ = try await asked.authority.clientSecretShare(for: identity) }
                await asked.expect("other-share") {
                    _ = try await asked.authority.timePermitShare(for: identity, on: day)
                }
            }
            // A client secret is no permit, and the reverse.
            let mixed = [
                "clientSecret": hex(try half.timePermitShare(for: identity, on: day)),
                "timePermit": hex(try half.clientSecretShare(for: identity)),
            ]
            pair.first.answer { name in mixed[name].map { .body("{\"\(name)\":\"\($0)\"}") } ?? .honest }
            await asked.expect("other-share") { _ = try await asked.authority.clientSecretShare(for: identity) }
            await asked.expect("other-share") { _ = try await asked.authority.timePermitShare(for: identity, on: day) }
            _ = pair.first.takeRequests()
            pair.first.answer { _ in .honest }
            #expect(
                try await asked.authority.timePermitShare(for: identity, on: day)
                    == half.timePermitShare(for: identity, on: day))
            #expect(pair.first.takeRequests() == ["timePermit"])
        }
    }

    /// The second copy of a reply waits on the connection for the next request.
    @Test func aReplyThatComesTwiceIsNotTheNextOne() async throws {
        try await withScriptedAuthorities { [identity, other] pair in
            let asked = try Asked(pair.first, pair)
            let half = pair.first.authority
            let share = "{\"clientSecret\":\"\(hex(try half.clientSecretShare(for: identity)))\"}"
            pair.first.answer { name in
                let wire = ScriptedAuthority.wire(200, share)
                return name == "clientSecret" ? .wire(wire + wire) : .honest
            }
            // One for each connection.
            for _ in 0..<AuthorityConnection.connections {
                #expect(
                    try await asked.authority.clientSecretShare(for: identity) == half.clientSecretShare(for: identity))
            }
            pair.first.answer { _ in .honest }
            for _ in 0..<AuthorityConnection.connections {
                #expect(try await asked.authority.clientSecretShare(for: other) == half.clientSecretShare(for: other))
            }
            await asked.expect(nil) {}
        }
    }

    private static let otherOrder =
        "15a6dc04a6fcca67c9bdeae68d06c23af232050de2e6423c0b51d652c4bb7526"
        + "071172d9c2e2420af1499633832ad9c2fee162c74eb46cecc3936c281b9bba42"
        + "013deccfdd50d3a1121c61989c4ddb9fd6d5c074f75907903ef303e78d031d83"
        + "01405e0eecd5abc5f00628bcd74327a04be06f572a9c5699cc5dc8ede36b05f6"

    @Test func aServerSecretOfAnotherOrderOrHalfIsNotTaken() async throws {
        try await withScriptedAuthorities { pair in
            let right = hex(pair.first.authority.serverSecretShare())
            for (text, kind) in [
                (String(right.dropLast(2)), "wrong-length"), (right + "00", "wrong-length"),
                (String(repeating: "07", count: 128), "no-point"), (String(repeating: "00", count: 128), "no-point"),
                // A point of the twist with another order.
                (Self.otherOrder, "no-point"),
                // x and y of a point of the twist, exchanged.
                (String(right.suffix(128) + right.prefix(128)), "no-point"),
            ] {
                let asked = try Asked(pair.first, pair)
                pair.first.answer { _ in .body("{\"serverSecret\":\"\(text)\"}") }
                await asked.expect(kind) { _ = try await asked.authority.serverSecretShare() }
            }
            pair.first.answer { _ in .honest }
            let asked = try Asked(pair.first, pair)
            let known = try await asked.authority.serverSecretShare()
            try pair.first.changeHalf()
            // A restarted backend finds the first one's mark.
            let later = try Asked(pair.first, pair)
            await later.expect("other-half") { _ = try await later.authority.serverSecretShare() }
            #expect(later.log.text.contains(pair.state.path + "/issuer"))
            #expect(try await asked.authority.serverSecretShare() == known)
        }
    }

    /// Checked before a device is sent there, because otherwise its registration would become worthless.
    @Test func oneThatAnswersButGivesNoShareIsNoAnswer() async throws {
        try await withScriptedAuthorities { pair in
            let asked = try Asked(pair.first, pair)
            await asked.expect(nil) { try await asked.authority.requireAnswer() }
            #expect(asked.observer.take() == [true])
            // Wrong or outdated credentials, and a wrong half.
            pair.first.answer { name in
                name == "status" ? .honest : .wire(ScriptedAuthority.wire(401, #"{"message":"Invalid signature"}"#))
            }
            await asked.expect("refused") { try await asked.authority.requireAnswer() }
            pair.first.answer { _ in .honest }
            try pair.first.changeHalf()
            await asked.expect("other-half") { try await asked.authority.requireAnswer() }
            #expect(asked.observer.take() == [false, false])
        }
    }

    @Test func anAbsentOneAndOneThatIsNotTrusted() async throws {
        try await withScriptedAuthorities { [identity] pair in
            // Nothing listens on port 1.
            let absent = try Asked(pair.first, pair, address: "http://127.0.0.1:1")
            await absent.expect("no-reply") { _ = try await absent.authority.clientSecretShare(for: identity) }
            try await withAuthority(half: 1, hasTLS: true) { secured in
                let untrusted = try Asked(pair.first, pair, address: secured.url)
                await untrusted.expect("untrusted") { try await untrusted.authority.requireAnswer() }
                let chain = pair.state.path + "/chain.pem"
                try StateDirectory.create(chain, content: TestCertificate.chain())
                let trusted = AuthorityConnection(address: secured.url, certificates: chain)
                _ = try await trusted.get("/status")
                // The certificate is for 127.0.0.1 and localhost.
                try await withAuthority(half: 1, host: "127.0.0.2", hasTLS: true) { renamed in
                    let connection = AuthorityConnection(address: renamed.url, certificates: chain)
                    let fault = await #expect(throws: AuthorityFault.self) { try await connection.get("/status") }
                    #expect(fault?.kind == "untrusted")
                }
                // A server with TLS cannot be reached without, and the reverse.
                let port = secured.url.split(separator: ":").last ?? ""
                for address in ["http://127.0.0.1:\(port)", "https" + pair.first.url.dropFirst("http".count)] {
                    let other = AuthorityConnection(address: address, certificates: chain, deadline: .seconds(5))
                    await #expect(throws: AuthorityFault.self) { try await other.get("/status") }
                }
            }
        }
    }

    @Test func noMoreWaitThanMay() async throws {
        try await withScriptedAuthorities { pair in
            pair.first.answer { _ in .silence }
            let connection = AuthorityConnection(
                address: pair.first.url, certificates: nil, deadline: .seconds(2), capacity: 8)
            await withTaskGroup(of: AuthorityFault?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do throws(AuthorityFault) { _ = try await connection.get("/status") } catch { return error }
                        return nil
                    }
                }
                while connection.load < 8 { await Task.yield() }
                await #expect(throws: AuthorityFault.busy) { try await connection.get("/status") }
                // Requests in the queue are late together, not one after another.
                for await fault in group { #expect(fault == .late) }
            }
            pair.first.answer { _ in .honest }
            _ = try await connection.get("/status")
        }
    }

    /// Any body gives a share or a fault.
    @Test func noReplyEndsTheProgram() throws {
        var random = SplitMix64(seed: 20_260_815)
        let master = try MasterSecret.random()
        let right = Array("{\"clientSecret\":\"\(hex(try master.clientSecretShare(for: identity)))\"}".utf8)
        var shares = 0
        for _ in 0..<3000 {
            var body = right
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: body.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: body[place] = UInt8.random(in: 0...255, using: &random)
                case 1: body.removeSubrange(place...)
                default: body.insert(contentsOf: "0123456789abcdef\"{}".utf8.shuffled(using: &random), at: place)
                }
                if body.isEmpty { body = [0x20] }
            }
            do throws(AuthorityFault) {
                _ = try RemoteAuthority.share("clientSecret", in: body) { bytes throws(MPinCryptoError) in
                    try ClientSecretShare(bytes: bytes)
                }
                shares += 1
            } catch {
                #expect(!error.kind.isEmpty && !error.explanation.isEmpty)
            }
        }
        #expect(shares > 0 && shares < 3000)
    }
}
