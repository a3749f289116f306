// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import KioskTestKit
import Logging
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import OpenIDProvider
@testable import ReferenceBackend

/// The texts by which a developer and an operator find what is wrong with an application.
@Suite struct OpenIDRefusalTests {
    private static let registered = "http://127.0.0.1:5000/callback"
    private static let hidden = "https://staging.internal.example/callback"

    private static func query(_ fields: [(name: String, value: String)]) -> String {
        "/authorize?" + FormFields.text(fields)
    }

    /// Runs `body` with an application of two addresses.
    private static func withApplication(
        _ body: @escaping @Sendable (RunningBackend, OpenIDApplication) async throws -> Void
    ) async throws {
        try await withBackend { backend in
            try await body(backend, try await OpenIDApplication.added(to: backend, at: [registered, hidden]))
        }
    }

    private static func warnings(_ backend: RunningBackend) -> [Substring] {
        backend.log.text.split(separator: "\n").filter { $0.contains("of an application is refused") }
    }

    /// The page names what came, and of the registered addresses only those that a stranger may know.
    @Test func aWrongRedirectAddressIsNamed() async throws {
        try await Self.withApplication { backend, application in
            let id = application.clientID
            func page(_ uri: String, language: String = "en") async throws -> String {
                let reply = try await backend.client.send(
                    .get, Self.query([("client_id", id), ("redirect_uri", uri), ("response_type", "code")]),
                    headers: [.acceptLanguage: language])
                #expect(reply.status == 400 && reply.headers[.location] == nil)
                return reply.text
            }
            let near = try await page("http://localhost:5000/callback")
            #expect(near.contains("<code>redirect_uri=http://localhost:5000/callback</code>"))
            #expect(near.contains("<code>\(Self.registered)</code>") && !near.contains("staging"))
            let far = try await page("https://evil.example/\"><script>alert(1)</script> call us")
            #expect(far.contains("redirect_uri=https://evil.example/&quot;"))
            #expect(far.contains("&gt;&lt;script") && !far.contains("<script>") && far.contains("%20call%20us"))
            #expect(!far.contains("127.0.0.1") && !far.contains("staging") && far.contains("The log of this service"))
            #expect(try await page("https://STAGING.internal.example/").contains(Self.hidden))
            let long = try await page("https://evil.example/" + String(repeating: "x", count: 4000))
            #expect(long.contains("xxx...") && !long.contains(String(repeating: "x", count: 300)))
            for (language, words) in [
                ("de", "Rücksprungadresse"), ("fr", "adresse de retour"), ("es", "dirección de retorno"),
                ("bg", "адрес за връщане"),
            ] {
                #expect(try await page("x", language: language).contains(words))
            }
            #expect(try await page("").contains("<code>redirect_uri</code> is missing"))
            let lines = Self.warnings(backend)
            #expect(lines.count == OpenIDRefusals.linesPerMinute)
            let first = try #require(lines.first)
            #expect(first.hasPrefix("warning") && first.contains("Time <sheets>") && first.contains(Self.hidden))
            #expect(first.contains("redirect_uri=http://localhost:5000/callback"))
        }
    }

    /// Each mistake of a developer is a line with application and reason, without its secrets.
    @Test func theOperatorReadsEachMistake() async throws {
        try await Self.withApplication { backend, application in
            let (id, secret) = (application.clientID, try #require(application.secret))
            func tokens(_ fields: [(name: String, value: String)]) async throws -> Int {
                try await backend.client.submit("/oidc/token", fields).status
            }
            let unknown = String(repeating: "0", count: 32)
            let base: [(name: String, value: String)] = [("redirect_uri", Self.registered), ("response_type", "code")]
            let silent: [(name: String, value: String)] = [("client_id", id), ("scope", "openid"), ("prompt", "none")]
            let grant: [(name: String, value: String)] = [
                ("client_id", id), ("client_secret", secret), ("grant_type", "authorization_code"),
            ]
            let stranger = try await backend.client.get(Self.query([("client_id", unknown)] + base))
            let noScope = try await backend.client.get(Self.query([("client_id", id), ("scope", "email")] + base))
            let nobody = try await backend.client.get(Self.query(silent + base))
            #expect([stranger.status, noScope.status, nobody.status] == [400, 303, 303])
            let wrong = try await tokens([("client_id", id), ("client_secret", "x" + secret)])
            let swapped = try await tokens([("client_id", secret), ("client_secret", id)])
            let used = try await tokens(grant + [("code", "a-used-code")])
            #expect([wrong, swapped, used] == [401, 401, 400])
            let lines = Self.warnings(backend)
            #expect(lines.count == 5)
            for (line, texts) in zip(
                lines,
                [
                    ["no application has this client_id", unknown], ["scope has to contain openid", "Time <sheets>"],
                    ["client secret is wrong", "Time <sheets>"],
                    ["no application has this client_id", "client_id of 43 bytes"],
                    ["the code is unknown, used or expired", "Time <sheets>"],
                ])
            {
                for text in texts { #expect(line.contains(text), "\(line)") }
            }
            #expect(!backend.log.text.contains(secret) && !backend.log.text.contains("a-used-code"))
        }
    }

    /// A stranger's flood hides neither another application's mistake nor itself.
    @Test func aFloodIsAFewLines() async throws {
        let (clock, log) = (ManualWallClock(), LogCapture())
        let refusals = OpenIDRefusals(clock: clock, logger: log.logger)
        for _ in 0..<1000 { refusals.note("wrong", of: nil, [:]) }
        refusals.note("wrong", of: "Time sheets", [:])
        #expect(log.messages(at: .warning).count == OpenIDRefusals.linesPerMinute + 1)
        clock.advance(by: .seconds(60))
        refusals.note("wrong", of: nil, [:])
        #expect(log.messages(at: .warning).count == OpenIDRefusals.linesPerMinute + 2)
        #expect(log.text.contains("\(1000 - OpenIDRefusals.linesPerMinute)"))
        for application in 0..<2000 { refusals.note("wrong", of: "\(application)", [:]) }
        #expect(log.messages(at: .warning).count == OpenIDRefusals.linesPerMinute + 2002)
    }

    /// Shown texts are one bounded word, whatever came.
    @Test func aShownTextIsOneWord() {
        let seed: UInt64 = 0x0a13
        var generator = SplitMix64(seed: seed)
        let parts = ["a", " ", "\n", "é", "\u{202e}", "<", "\"", "%", "https://", "\u{0}", "\u{1f600}"]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...120, using: &generator))
                .map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined()
            let shown = SentField.visible(text)
            #expect(shown.utf8.count <= SentField.longest + 5, "seed \(seed)")
            #expect(shown.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "seed \(seed)")
        }
    }
}
