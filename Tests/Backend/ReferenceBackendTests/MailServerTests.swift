// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import KioskTestKit
import LinuxSystem
import NIOCore
import NIOPosix
import Patience
import ServiceLifecycle
import Synchronization
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The requirements on a mail server, and its answers that decide about another attempt.
@Suite struct MailServerTests {
    private static let mail = ActivationMail(
        recipient: "alice@example.com", siteName: "site",
        content: .confirmation(.init(.registration, link: "https://login.example.com/x?i=1&s=2")),
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

    private final class WatchedMails: BackendWatch {
        private let outcomes = Mutex<[MailKind: [MailOutcome]]>([:])

        func judged(_ proof: JudgedProof) {}

        func mailed(_ kind: MailKind, _ outcome: MailOutcome) {
            outcomes.withLock { $0[kind, default: []].append(outcome) }
        }

        func count(_ kind: MailKind, _ outcome: MailOutcome) -> Int {
            outcomes.withLock { ($0[kind] ?? []).count { $0 == outcome } }
        }

        func wait(for count: Int, _ kind: MailKind, _ outcome: MailOutcome) async throws {
            try await Patience.until { self.count(kind, outcome) >= count }
        }
    }

    private struct Delivery: Sendable {
        let log = LogCapture()
        let clock = ManualWallClock()
        let watch = WatchedMails()
        let delivery: MailDelivery
        let group: ServiceGroup

        init(to sink: MailSink) {
            delivery = MailDelivery(
                server: MailServerTests.server(sink), limit: MailLimit(in: MemoryTables()), clock: clock, watch: watch,
                logger: log.logger)
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
        delivery.delivery.take(Self.mail)
        for pause in MailDelivery.pauses.prefix(2) {
            try await delivery.clock.waitForSleeper()
            delivery.clock.advance(by: pause)
        }
        let lines = try await conversations
        #expect(lines.map { $0.contains("DATA") } == [false, false, true])
        try await delivery.wait(for: "mail sent")
        await delivery.group.triggerGracefulShutdown()
        try await run
        #expect(delivery.log.text.contains("450 4.2.0 [address] greylisted, see [link]"))
        #expect(!delivery.log.text.contains("alice"))
    }

    @Test(.timeLimit(.minutes(1))) func aMailThatIsRefusedForGoodIsNotTriedAgain() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        async let conversations = sink.receive(answering: ["550 5.1.1 <alice@example.com> unknown"])
        async let run: Void = delivery.group.run()
        delivery.delivery.take(Self.mail)
        _ = try await conversations
        try await delivery.wait(for: "not tried again")
        await delivery.group.triggerGracefulShutdown()
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
        delivery.delivery.take(Self.mail)
        _ = try await conversations
        try await delivery.clock.waitForSleeper()
        await delivery.group.triggerGracefulShutdown()
        try await run
        #expect(delivery.log.text.contains("mails not sent: the backend ends"))
    }

    /// More registrations than may wait, at addresses whose server defers mails. A notice and other people's
    /// registrations go out at once.
    @Test(.timeLimit(.minutes(2))) func deferredRegistrationsHoldUpNothing() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        let strangers = 110
        async let conversations = sink.receive(
            answering: Array(repeating: "450 4.2.0 later", count: strangers) + ["250 fine", "250 fine"])
        async let run: Void = delivery.group.run()
        func mail(
            to recipient: String, _ content: ActivationMail.Content = .confirmation(.init(.newPIN, code: "123456"))
        ) -> ActivationMail {
            ActivationMail(recipient: recipient, siteName: "site", content: content, sent: delivery.clock.now)
        }
        for number in 0..<strangers {
            let address = ClientAddress("192.0.2.\(number)") ?? .unknown
            ClientAddress.$current.withValue(address) {
                delivery.delivery.take(mail(to: "\(number)@deferring.example"))
            }
            if number < 50 {
                try await delivery.watch.wait(for: number + 1, .registration, .deferred)
            } else {
                try await delivery.watch.wait(for: number - 49, .registration, .dropped)
            }
        }
        #expect(delivery.watch.count(.registration, .deferred) == 50)
        #expect(delivery.watch.count(.registration, .dropped) == strangers - 50)
        let notice = MailNotice(kind: .wrongPINs, subject: "A", sentences: ["B"])
        delivery.delivery.take(mail(to: "owner@example.com", .notice(notice)))
        try await delivery.watch.wait(for: 1, .notice, .sent)
        delivery.delivery.take(mail(to: "new@example.com"))
        try await delivery.watch.wait(for: 1, .registration, .sent)
        _ = try await conversations
        await delivery.group.triggerGracefulShutdown()
        try await run
    }

    /// Of one client 50 mails wait, and a hundred in all before their first attempt.
    @Test func waitingMailsAreBounded() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        // Nothing is sent: the service does not run.
        for (client, taken) in [(1, 50), (2, 50), (3, 0)] {
            let before = delivery.watch.count(.registration, .dropped)
            ClientAddress.$current.withValue(ClientAddress("192.0.2.\(client)") ?? .unknown) {
                for _ in 0..<60 { delivery.delivery.take(Self.mail) }
            }
            #expect(delivery.watch.count(.registration, .dropped) - before == 60 - taken)
        }
        let notice = ActivationMail(
            recipient: "alice@example.com", siteName: "site",
            content: .notice(MailNotice(kind: .login, subject: "A", sentences: ["B"])), sent: Self.mail.sent)
        for _ in 0..<200 { delivery.delivery.take(notice) }
        #expect(delivery.watch.count(.notice, .dropped) == 0)
        withExtendedLifetime(sink) {}
    }

    /// A server that takes the connection and says nothing.
    @Test(.timeLimit(.minutes(1))) func aHangingServerDoesNotHoldUpTheEnd() async throws {
        let silent = try await SilentServer()
        let stop = MailStop()
        let server = MailServer(
            url: "smtp://127.0.0.1:\(silent.port)", sender: "kiosk@example.com", userName: nil, password: nil,
            requiresTLS: false, certificatesFile: nil)
        let failure = Eventually<MailFailure?>()
        DispatchQueue.global().async {
            let message = MailMessage(mail: Self.mail, sender: "kiosk@example.com", boundary: "b0")
            failure.settle(.success(server.send(message, until: stop)))
        }
        try await silent.waitForClient()
        stop.isWanted.store(true, ordering: .relaxed)
        // libcurl's own deadline would give another reason.
        #expect(try await failure.value?.reason.contains("callback") == true)
        await silent.end()
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

/// A server that accepts connections and says nothing.
private struct SilentServer {
    private let channel: any Channel
    private let client = Eventually<Void>()

    init() async throws {
        let client = client
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                client.settle(.success(()))
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    func waitForClient() async throws { try await client.value }

    func end() async { try? await channel.close() }
}
