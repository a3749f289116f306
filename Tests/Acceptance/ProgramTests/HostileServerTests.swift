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
    static let expected: [(endpoint: Endpoint, senseless: String, missing: String)] = [
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

    @Test func endInANamedOutcome() async throws {
        for (endpoint, senseless, missing) in Self.expected {
            // Each with its own backend, because a backend bounds the unfinished logins of an identity.
            let kiosk = try await EnrolledKiosk()
            for lie in HostileReply.senseless {
                try await expect(senseless, at: endpoint, kiosk, lie.name, lie.make)
            }
            for lie in HostileReply.missing {
                try await expect(missing, at: endpoint, kiosk, lie.name, lie.make)
            }
        }
    }

    /// The answer to the announcement of a user does not matter. Here only the browser is missing.
    @Test func doNotMatterWhereNothingDepends() async throws {
        let kiosk = try await EnrolledKiosk()
        try await expect("browserTimedOut", at: .announcement, kiosk, "nothing") { _, _ in [] }
    }

    /// A proxy without its service, the login page of a network, a packed reply that nobody asked for.
    @Test(
        arguments: [
            (PageServer.Reply(status: 502), 69, "serviceUnavailable"),
            (.html("<p>Welcome</p>"), 76, "invalidConfiguration"),
            (.init(headers: ["Content-Encoding: gzip"], body: [0x1F, 0x8B, 8, 0]), 76, "invalidConfiguration"),
        ] as [(PageServer.Reply, Int32, String)])
    func failAlikeInLoginAndEnrolment(reply: PageServer.Reply, exitCode: Int32, outcome: String) async throws {
        let scratch = try Scratch()
        let server = PageServer { _ in reply }
        let site = String(server.address().dropLast())
        let places = ["--state", scratch.path("state"), "--config", scratch.path("config")]
        let kiosk = try Program("login-kiosk")
        #expect(try await kiosk.run(["trust", "add", String(site.dropFirst("http://".count))] + places).status == 0)
        let common = ["--user", "alice@example.com", "--allow-loopback-http", "--json"] + places
        let login = try await kiosk.run(
            ["login"] + common, input: "\(site)#0123456789abcdef0123456789abcdef\n2583\n")
        #expect(login.status == exitCode && login.outcome == outcome, "\(login)")
        let enrolment = try await kiosk.run(["enroll", "--backend", site] + common, input: "2583\n")
        #expect(enrolment.status == exitCode && enrolment.outcome == outcome, "\(enrolment)")
    }

    @Test func leadNobodyElsewhere() async throws {
        let kiosk = try await EnrolledKiosk()
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
        let kiosk = try await EnrolledKiosk()
        let liar = try LyingServer(before: kiosk.server.port) { _, body in body }
        defer { liar.stop() }
        let (place, honest) = ("127.0.0.1:\(liar.port)", "127.0.0.1:\(kiosk.server.port)")
        liar.tell(
            LyingServer.Lie(endpoint: .service) { _, reply in
                WireMessage.reply("200 OK", reply.bodyText.replacing(place, with: honest)).bytes
            })
        _ = kiosk.server.takeExchanges()
        let paths = { kiosk.server.takeExchanges().map { $0.request.start.split(separator: " ")[1] } }
        let refused = try await kiosk.logIn(try kiosk.accessCode(), at: liar.base + "/menu", trusting: [place])
        #expect(refused.status == 93 && refused.outcome == "anotherService", "\(refused)")
        #expect(refused.errors.contains("trust `\(place) -> \(honest)`"), "\(refused)")
        // The lying server asks the honest one for its answer.
        #expect(
            Set(paths()).isSubset(of: ["/menu/service", "/menu/.well-known/project-configuration", "/service"]))
        // If the operator allows it the login continues to the end, which only lacks a browser.
        kiosk.server.tell(
            LyingServer.Lie(endpoint: .authenticate) { _, _ in WireMessage.reply("200 OK", "{}").bytes })
        let allowed = try await kiosk.logIn(
            try kiosk.accessCode(), at: liar.base, trusting: ["\(place) -> \(honest)"])
        #expect(allowed.status == 0 && allowed.outcome == "loggedIn", "\(allowed)")
        #expect(paths().contains("/rps/pass2"))
    }

    private func expect(
        _ outcome: String, at endpoint: Endpoint, _ kiosk: EnrolledKiosk, _ name: String,
        _ reply: @escaping @Sendable (WireMessage, WireMessage) -> [UInt8]
    ) async throws {
        let run = try await run(kiosk, LyingServer.Lie(endpoint: endpoint, reply: reply))
        #expect(run.outcome == outcome, "\(endpoint) answered with \(name): \(run)")
        #expect((1...99).contains(run.status), "\(endpoint) answered with \(name): \(run)")
    }

    private func run(_ kiosk: EnrolledKiosk, _ lie: LyingServer.Lie) async throws -> Program.Run {
        kiosk.server.tell(lie)
        defer { kiosk.server.tell(nil) }
        guard lie.endpoint.belongsToEnrolment else { return try await kiosk.logIn(try kiosk.accessCode()) }
        return try await kiosk.enroll("\(UUID().uuidString.lowercased())@example.com")
    }
}
