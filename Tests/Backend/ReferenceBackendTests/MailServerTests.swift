// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import KioskTestKit
import Patience
import ServiceLifecycle
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The requirements on a mail server, and its answers that decide about another attempt.
@Suite struct MailServerTests {
    private static let mail = ActivationMail(
        recipient: "alice@example.com", siteName: "site", content: .link("https://login.example.com/x?i=1&s=2"),
        sent: ManualWallClock().now)

    private static func server(
        _ sink: MailSink, requiresTLS: Bool = false, certificatesFile: String? = nil
    ) -> MailServer {
        MailServer(
            url: sink.url, sender: "kiosk@example.com", userName: nil, password: nil, requiresTLS: requiresTLS,
            certificatesFile: certificatesFile)
    }

    /// Sends one mail on a separate thread, because tasks' threads have to play the server.
    private static func send(by server: MailServer) async -> MailFailure? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let message = MailMessage(mail: mail, sender: "kiosk@example.com", boundary: "b0")
                continuation.resume(returning: server.send(message))
            }
        }
    }

    /// A mail server with Debian's default settings.
    @Test func aServerWithACertificateOfItsOwnGetsMailOverTLS() async throws {
        let sink = try await MailSink(tls: MailSink.ownCertificate())
        async let conversation = sink.receive()
        let failure = await Self.send(by: Self.server(sink))
        #expect(failure == nil)
        let lines = try await conversation
        #expect(lines.contains("STARTTLS"))
        #expect(lines.contains("RCPT TO:<alice@example.com>"))
    }

    @Test func demandedTLSWantsACertificateThatIsBelieved() async throws {
        let sink = try await MailSink(tls: MailSink.ownCertificate())
        async let conversation = sink.receive()
        let failure = try #require(await Self.send(by: Self.server(sink, requiresTLS: true)))
        // The operator may repair it before the next attempt.
        #expect(!failure.isFinal)
        let lines = try await conversation
        #expect(!lines.contains { $0.hasPrefix("MAIL") })
    }

    @Test func demandedTLSTakesAnAuthorityOfTheOperator() async throws {
        let folder = TemporaryFolder()
        let file = try TestCertificate.tls(in: folder).certificateChainFile
        let sink = try await MailSink(tls: MailSink.ownCertificate())
        async let conversation = sink.receive()
        let failure = await Self.send(by: Self.server(sink, requiresTLS: true, certificatesFile: file))
        #expect(failure == nil)
        let lines = try await conversation
        #expect(lines.contains { $0.hasPrefix("MAIL") })
        withExtendedLifetime(folder) {}
    }

    @Test func demandedTLSSendsNothingInTheClear() async throws {
        let sink = try await MailSink()
        async let conversation = sink.receive()
        let failure = await Self.send(by: Self.server(sink, requiresTLS: true))
        #expect(failure != nil)
        let lines = try await conversation
        #expect(!lines.contains { $0.hasPrefix("MAIL") })
    }

    private struct Delivery: Sendable {
        let log = LogCapture()
        let clock = ManualWallClock()
        let mails: AsyncStream<ActivationMail>.Continuation
        let group: ServiceGroup

        init(to sink: MailSink) {
            let (stream, mails) = AsyncStream.makeStream(of: ActivationMail.self)
            self.mails = mails
            let delivery = MailDelivery(
                mails: stream, server: MailServerTests.server(sink), limit: MailLimit(in: MemoryTables()),
                clock: clock, logger: log.logger)
            group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [.init(service: delivery, successTerminationBehavior: .gracefullyShutdownGroup)],
                    logger: log.logger))
        }

        func wait(for words: String) async throws {
            try await Patience.until { log.text.contains(words) }
        }
    }

    @Test(.timeLimit(.minutes(1))) func aMailThatIsPutOffGoesOutLater() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        let greylisted = "450 4.2.0 <alice@example.com>: greylisted, see http://example.com/alice"
        async let conversations = sink.receive(answering: [greylisted, greylisted, "250 fine"])
        async let run: Void = delivery.group.run()
        delivery.mails.yield(Self.mail)
        for pause in MailDelivery.pauses.prefix(2) {
            try await delivery.clock.waitForSleeper()
            delivery.clock.advance(by: pause)
        }
        let lines = try await conversations
        #expect(lines.map { $0.contains("DATA") } == [false, false, true])
        try await delivery.wait(for: "mail sent")
        delivery.mails.finish()
        try await run
        #expect(delivery.log.text.contains("450 4.2.0 [address] greylisted, see [link]"))
        #expect(!delivery.log.text.contains("alice"))
    }

    @Test(.timeLimit(.minutes(1))) func aMailThatIsRefusedForGoodIsNotTriedAgain() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        async let conversations = sink.receive(answering: ["550 5.1.1 <alice@example.com> unknown"])
        async let run: Void = delivery.group.run()
        delivery.mails.yield(Self.mail)
        _ = try await conversations
        try await delivery.wait(for: "not tried again")
        delivery.mails.finish()
        try await run
        #expect(delivery.log.text.contains("550 5.1.1 [address] unknown"))
        #expect(!delivery.log.text.contains("next try"))
    }

    /// An expired link is useless.
    @Test func aLinkIsTriedForAnHourAndANoticeForHours() {
        let notice = ActivationMail(
            recipient: "alice@example.com", siteName: "site",
            content: .notice(MailNotice(kind: .login, subject: "A", sentences: ["B"])), sent: Self.mail.sent)
        let times = [3599, 3600, 14_000].map { Self.mail.sent + .seconds($0) }
        #expect(times.map(Self.mail.counts) == [true, false, false])
        #expect(times.map(notice.counts) == [true, true, true])
        #expect(MailDelivery.pauses.reduce(.zero, +) > .seconds(3 * 3600))
    }

    @Test(.timeLimit(.minutes(1))) func aStopWhileAMailWaitsIsNoFailure() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        async let conversations = sink.receive(answering: ["451 later"])
        async let run: Void = delivery.group.run()
        delivery.mails.yield(Self.mail)
        _ = try await conversations
        try await delivery.clock.waitForSleeper()
        await delivery.group.triggerGracefulShutdown()
        try await run
        #expect(delivery.log.text.contains("mails not sent: the backend ends"))
    }

    @Test func theLastRefusalCounts() {
        let cases: [(lines: [String], expected: MailFailure?)] = [
            (["220 sink", "250 fine"], nil),
            // Older servers do not know EHLO, and are greeted again.
            (["502 what?", "250 fine"], nil),
            (["250 fine", "550 no", "221 bye"], MailFailure(reason: "550 no", isFinal: true)),
            (["421 busy"], MailFailure(reason: "421 busy")),
            (
                ["550-5.7.1 one\r\n", "550 5.7.1 two\r\n"],
                MailFailure(reason: "550-5.7.1 one 5.7.1 two", isFinal: true)
            ),
            (["450 one", "550 two"], MailFailure(reason: "550 two", isFinal: true)),
            (["nonsense", "", "5", "55x no"], nil),
        ]
        for (lines, expected) in cases {
            var replies = MailReplies()
            for line in lines { replies.add(Array(line.utf8)) }
            #expect(replies.refusal == expected, "\(lines)")
        }
    }

    @Test func noReplyPutsAnythingOddIntoALog() {
        var generator = SplitMix64(seed: 20261126)
        let pieces = ["alice@example.com", "http://a.b/c", "\r", "\n", "\u{1b}[2J", " ", "é", "550-", "x"]
        for _ in 0..<300 {
            var replies = MailReplies()
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                var line = Array(["550 ", "450-", "250 ", ""].randomElement(using: &generator)!.utf8)
                for _ in 0..<Int.random(in: 0...40, using: &generator) {
                    line += Array(pieces.randomElement(using: &generator)!.utf8)
                    if Bool.random(using: &generator) { line.append(UInt8.random(in: 0...255, using: &generator)) }
                }
                replies.add(line)
            }
            let reason = replies.refusal?.reason ?? ""
            #expect(reason.utf8.count <= 300 && reason.utf8.allSatisfy { (0x20...0x7e).contains($0) })
            #expect(!reason.contains("@") && !reason.contains("://"))
        }
    }
}
