// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import PictureTestKit
import Synchronization
import Testing

/// The built program with a server that answers one endpoint with nonsense and all others properly. Each run ends
/// with the outcome in the table, and no untrusted host gets a request.
@Suite(.fewAtATime) struct HostileServerTests {
    /// The program's outcome for each endpoint, if a reply makes no sense, and if no reply arrives.
    static let expected: [(Endpoint, String, String)] = [
        (.service, "invalidConfiguration", "serviceUnavailable"),
        (.settings, "failed", "unreachable"),
        (.sessionDetails, "failed", "unreachable"),
        (.firstPermit, "failed", "unreachable"),
        (.secondPermit, "failed", "unreachable"),
        (.pass1, "failed", "unreachable"),
        (.pass2, "failed", "outcomeUnknown"),
        (.authenticate, "outcomeUnknown", "outcomeUnknown"),
        (.registration, "registrationFailed", "unreachable"),
        (.firstShare, "registrationExpired", "unreachable"),
        (.secondShare, "registrationExpired", "registrationExpired"),
    ]

    /// Each with its own backend, because a backend bounds the unfinished logins of an identity.
    @Test(arguments: expected)
    func endInANamedOutcome(_ endpoint: Endpoint, senseless: String, missing: String) async throws {
        let kiosk = try await KioskWithUser()
        for (outcome, lies) in [(senseless, HostileReply.senseless), (missing, HostileReply.missing)] {
            for lie in lies { try await expect(outcome, at: endpoint, kiosk, lie.name, lie.make) }
        }
    }

    @Test func endWithTheCodeOfTheVerdict() async throws {
        let kiosk = try await KioskWithUser()
        for (verdict, exitCode, outcome) in [
            (401, 80, "wrongPIN"), (403, 77, "notAuthorized"), (408, 86, "browserTimedOut"),
            (409, 87, "secretExpired"), (410, 81, "blocked"), (412, 83, "sessionExpired"),
        ] as [(Int, Int32, String)] {
            kiosk.server.tell(
                LyingServer.Lie(endpoint: .authenticate) { _, _ in WireMessage.reply("\(verdict) X", "").bytes })
            try await kiosk.logIn(try await kiosk.accessCode()).expect(exitCode, outcome: outcome)
        }
        // A line that is no PIN differs from a missing one.
        for line in ["258", "25x3", ""] {
            try await kiosk.logIn(try await kiosk.accessCode(), pin: line).expect(65, outcome: "pinLength")
        }
        try await kiosk.logIn(try await kiosk.accessCode(), pin: nil).expect(84, outcome: "declined")
    }

    /// A proxy without its service, the login page of a network, a packed reply that nobody asked for.
    @Test(
        arguments: [
            (PageServer.Reply(status: 502), 69, "serviceUnavailable"),
            (.html("<p>Welcome</p>"), 76, "invalidConfiguration"),
            (.init(headers: ["Content-Encoding: gzip"], body: [0x1F, 0x8B, 8, 0]), 76, "invalidConfiguration"),
        ] as [(PageServer.Reply, Int32, String)])
    func failAlikeInLoginAndRegistration(reply: PageServer.Reply, exitCode: Int32, outcome: String) async throws {
        let scratch = try Scratch()
        let server = PageServer { _ in reply }
        let site = String(server.address().dropLast())
        try await scratch.kiosk(["trust", "add", String(site.dropFirst("http://".count))]).expect(0)
        let common = ["--user", "alice@example.com", "--allow-loopback-http", "--json"]
        try await scratch.kiosk(
            ["login"] + common, input: "\(site)#0123456789abcdef0123456789abcdef\n2583\n"
        ).expect(exitCode, outcome: outcome)
        try await scratch.kiosk(["enroll", "--backend", site] + common, input: "2583\n").expect(
            exitCode, outcome: outcome)
    }

    @Test func leadNobodyElsewhere() async throws {
        let kiosk = try await KioskWithUser()
        let visitors = Mutex(0)
        let stranger = try LoopbackListener(host: "127.0.0.2")
        stranger.serve { _ in visitors.withLock { $0 += 1 } }
        defer { stranger.stop() }
        let elsewhere = "http://127.0.0.2:\(stranger.port)"
        let here = "127.0.0.1:\(kiosk.server.port)"
        for (endpoint, _, missing) in Self.expected {
            for status in [302, 307] {
                // A redirect is a reply, and demands something impossible.
                let outcome =
                    switch endpoint {
                    case .pass2, .authenticate: "unreachable"
                    default: missing
                    }
                try await expect(outcome, at: endpoint, kiosk, "redirect \(status)") { _, _ in
                    WireMessage.reply("\(status) Moved", "", headers: ["Location: \(elsewhere)/"]).bytes
                }
            }
        }
        for endpoint in [Endpoint.service, .settings] {
            for (name, url) in [
                ("another host", elsewhere), ("a user name", "http://\(here)@127.0.0.2:\(stranger.port)"),
                ("a backslash", "http://127.0.0.2:\(stranger.port)\\@\(here)"),
                ("another scheme", "file:///etc/passwd"),
                ("a number", "http://2130706434:\(stranger.port)"), ("no scheme", "//127.0.0.2:\(stranger.port)"),
            ] {
                let run = try await self.run(
                    kiosk,
                    LyingServer.Lie(endpoint: endpoint) { _, honest in
                        WireMessage.reply("200 OK", honest.bodyText.replacing("http://\(here)", with: url)).bytes
                    })
                #expect(run.status != 0 && run.outcome != nil, "\(endpoint), \(name): \(run)")
            }
        }
        #expect(visitors.withLock { $0 } == 0)
    }

    /// A second trusted service names the first one's backend as its own.
    @Test func leadNobodyToAnotherService() async throws {
        let kiosk = try await KioskWithUser()
        let liar = try LyingServer(before: kiosk.server.port) { _, body in body }
        defer { liar.stop() }
        let (place, honest) = ("127.0.0.1:\(liar.port)", "127.0.0.1:\(kiosk.server.port)")
        liar.tell(
            LyingServer.Lie(endpoint: .service) { _, reply in
                WireMessage.reply("200 OK", reply.bodyText.replacing(place, with: honest)).bytes
            })
        _ = kiosk.server.takeExchanges()
        let paths = { kiosk.server.takeExchanges().map { $0.request.start.split(separator: " ")[1] } }
        try await kiosk.logIn(try await kiosk.accessCode(), at: liar.base + "/menu", trusting: [place]).expect(
            93, "trust `\(place) -> \(honest)`", outcome: "anotherService")
        // The lying server asks the honest one for its answer.
        #expect(
            Set(paths()).isSubset(of: ["/menu/service", "/menu/.well-known/project-configuration", "/service"]))
        // If the operator allows it the login continues to the end, which only lacks a browser.
        kiosk.server.tell(
            LyingServer.Lie(endpoint: .authenticate) { _, _ in WireMessage.reply("200 OK", "{}").bytes })
        try await kiosk.logIn(
            try await kiosk.accessCode(), at: liar.base, trusting: ["\(place) -> \(honest)"]
        ).expect(0, outcome: "loggedIn")
        #expect(paths().contains("/rps/pass2"))
    }

    private func expect(
        _ outcome: String, at endpoint: Endpoint, _ kiosk: KioskWithUser, _ name: String,
        _ reply: @escaping @Sendable (WireMessage, WireMessage) -> [UInt8]
    ) async throws {
        let run = try await run(kiosk, LyingServer.Lie(endpoint: endpoint, reply: reply))
        #expect(run.outcome == outcome, "\(endpoint) answered with \(name): \(run)")
        #expect((1...99).contains(run.status), "\(endpoint) answered with \(name): \(run)")
    }

    private func run(_ kiosk: KioskWithUser, _ lie: LyingServer.Lie) async throws -> Program.Run {
        kiosk.server.tell(lie)
        defer { kiosk.server.tell(nil) }
        guard lie.endpoint.belongsToRegistration else { return try await kiosk.logIn(try await kiosk.accessCode()) }
        return try await kiosk.enroll("\(UUID().uuidString.lowercased())@example.com")
    }
}
