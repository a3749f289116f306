// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import KioskTestKit
import LinuxSystem
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
        _ url: String, requiresTLS: Bool = false, certificatesFile: String? = nil
    ) -> MailServer {
        MailServer(
            url: url, sender: "kiosk@example.com", userName: nil, password: nil, requiresTLS: requiresTLS,
            certificatesFile: certificatesFile)
    }

    /// Sends one mail on a thread of its own, because those of tasks have to play the server.
    private static func send(by server: MailServer, until stop: MailStop = MailStop()) async throws -> MailFailure? {
        try await LoopbackConnection.apart {
            server.send(MailMessage(mail: mail, sender: "kiosk@example.com", boundary: "b0"), until: stop)
        }
    }

    /// A certificate that no authority has signed, as by Debian's default settings, is enough unless TLS is demanded.
    /// Then an authority of the operator's is needed, and nothing goes out in the clear.
    @Test(
        arguments: [
            (true, false, false, true), (true, true, false, false), (true, true, true, true),
            (false, true, false, false),
        ])
    func tlsIsAskedFor(hasTLS: Bool, isDemanded: Bool, knowsAuthority: Bool, isSent: Bool) async throws {
        let folder = TemporaryFolder()
        let file = try TestCertificate.tls(in: folder).certificateChainFile
        let sink = try await MailSink(tls: hasTLS ? MailSink.ownCertificate() : nil)
        async let conversation = sink.receive()
        let failure = try await Self.send(
            by: Self.server(sink.url, requiresTLS: isDemanded, certificatesFile: knowsAuthority ? file : nil))
        #expect((failure == nil) == isSent)
        // The operator may repair it before the next attempt.
        #expect(failure?.isFinal != true)
        let lines = try await conversation
        #expect(lines.contains("STARTTLS") || !hasTLS)
        #expect(lines.contains { $0.hasPrefix("MAIL") } == isSent)
        #expect(lines.contains("RCPT TO:<alice@example.com>") == isSent)
        withExtendedLifetime(folder) {}
    }

    private final class WatchedMails: BackendObserver {
        private let outcomes = Mutex<[MailKind: [MailOutcome]]>([:])

        func checked(_ proof: CheckedProof) {}

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
        let observer = WatchedMails()
        let delivery: MailDelivery
        let group: ServiceGroup

        init(to sink: MailSink, capacity: Int = MailDelivery.capacity) {
            delivery = MailDelivery(
                server: MailServerTests.server(sink.url), limit: MailLimit(in: MemoryTables()), capacity: capacity,
                clock: clock, observer: observer, logger: log.logger)
            group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [.init(service: delivery, successTerminationBehavior: .gracefullyShutdownGroup)],
                    logger: log.logger))
        }

        /// Runs until `body` is over, and ends as a backend does.
        func run(_ body: () async throws -> Void) async throws {
            async let run: Void = group.run()
            try await body()
            await group.triggerGracefulShutdown()
            try await run
        }

        func wait(for words: String) async throws {
            try await Patience.until { log.text.contains(words) }
        }
    }

    @Test(.timeLimit(.minutes(10))) func aMailThatIsPutOffGoesOutLater() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        let greylisted = "450 4.2.0 <alice@example.com>: greylisted, see http://example.com/alice"
        async let conversations = sink.receive(answering: [greylisted, greylisted, "250 fine"])
        try await delivery.run {
            delivery.delivery.take(Self.mail)
            for pause in MailDelivery.pauses.prefix(2) {
                try await delivery.clock.waitForSleeper()
                delivery.clock.advance(by: pause)
            }
            try await delivery.wait(for: "mail sent")
        }
        #expect(try await conversations.map { $0.contains("DATA") } == [false, false, true])
        #expect(delivery.log.text.contains("450 4.2.0 [address] greylisted, see [link]"))
        #expect(!delivery.log.text.contains("alice"))
    }

    @Test(.timeLimit(.minutes(10))) func aMailThatIsRefusedForGoodIsNotTriedAgain() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        async let conversations = sink.receive(answering: ["550 5.1.1 <alice@example.com> unknown"])
        try await delivery.run {
            delivery.delivery.take(Self.mail)
            try await delivery.wait(for: "not tried again")
        }
        _ = try await conversations
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

    @Test(.timeLimit(.minutes(10))) func aStopWhileAMailWaitsIsNoFailure() async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        async let conversations = sink.receive(answering: ["451 later"])
        try await delivery.run {
            delivery.delivery.take(Self.mail)
            try await delivery.clock.waitForSleeper()
        }
        _ = try await conversations
        #expect(delivery.log.text.contains("mails not sent: the backend ends"))
    }

    private static func mail(
        to recipient: String, _ content: ActivationMail.Content = .confirmation(.init(.newPIN, code: "12345678"))
    ) -> ActivationMail {
        ActivationMail(recipient: recipient, siteName: "site", content: content, sent: mail.sent)
    }

    private static func notice(to recipient: String) -> ActivationMail {
        mail(to: recipient, .notice(MailNotice(kind: .wrongPINs, subject: "A", sentences: ["B"])))
    }

    private static func client<Value>(_ number: Int, _ body: () throws -> Value) rethrows -> Value {
        try ClientAddress.$current.withValue(ClientAddress("192.0.2.\(number)") ?? .unknown, operation: body)
    }

    /// A stranger causes as many mails as get in, to a domain that defers all. The kiosk's mail and an owner's notice do
    /// not wait for them. They join the line while the first are being sent, so that their place is not always the same:
    /// `sendersTakeTurns` has the exact order.
    @Test(.timeLimit(.minutes(10))) func aStrangerWithADeadDomainCostsOthersOneTurn() async throws {
        let sink = try await MailSink()
        let flood = 200
        let delivery = Delivery(to: sink, capacity: flood)
        Self.client(1) { for number in 0..<flood { delivery.delivery.take(Self.mail(to: "\(number)@dead.example")) } }
        for number in 0..<flood { delivery.delivery.take(Self.notice(to: "\(number)@gone.example")) }
        #expect(delivery.observer.count(.registration, .dropped) == flood / 2)
        #expect(delivery.observer.count(.notice, .dropped) == flood / 2)
        Self.client(2) { delivery.delivery.take(Self.mail(to: "new@firm.example")) }
        delivery.delivery.take(Self.notice(to: "owner@firm.example"))
        let conversations = Task {
            try await sink.receive(flood + 2) { $0.contains("firm.example") ? "250 fine" : "450 4.2.0 later" }
        }
        try await delivery.run {
            try await delivery.observer.wait(for: 1, .registration, .sent)
            try await delivery.observer.wait(for: 1, .notice, .sent)
            _ = try await conversations.value
        }
        let recipients = try await conversations.value.compactMap { $0.first { $0.hasPrefix("RCPT") } }
        // Each kind has a thread of its own.
        for (recipient, others) in [("new", "@dead.example"), ("owner", "@gone.example")] {
            let ours = recipients.filter { $0.contains("<\(recipient)@") || $0.contains(others) }
            let place = try #require(ours.firstIndex { $0.contains("<\(recipient)@") })
            #expect(place < flood / 4, "\(ours)")
        }
    }

    /// The mail server of a firm, with one domain and one kiosk, is away for ten minutes.
    @Test(.timeLimit(.minutes(10)), arguments: [MailKind.registration, .notice])
    func aServerThatIsAwayForTenMinutesLosesNothing(_ kind: MailKind) async throws {
        let sink = try await MailSink()
        let delivery = Delivery(to: sink)
        let (count, start) = (60, delivery.clock.now)
        let clock = delivery.clock
        let attempts = MailDelivery.pauses.reduce(into: [Duration.zero]) { $0.append(($0.last ?? .zero) + $1) }
        let failed = attempts.count { $0 < .seconds(600) }
        async let conversations = sink.receive(count * (failed + 1)) { _ in
            clock.now - start < .seconds(600) ? "421 away" : "250 fine"
        }
        async let run: Void = delivery.group.run()
        for number in 0..<count {
            let recipient = "\(number)@firm.example"
            delivery.delivery.take(kind == .notice ? Self.notice(to: recipient) : Self.mail(to: recipient))
        }
        for (number, pause) in MailDelivery.pauses.prefix(failed).enumerated() {
            try await delivery.observer.wait(for: count * (number + 1), kind, .deferred)
            clock.advance(by: pause)
        }
        try await delivery.observer.wait(for: count, kind, .sent)
        #expect(delivery.observer.count(kind, .dropped) == 0)
        _ = try await conversations
        await delivery.group.triggerGracefulShutdown()
        try await run
    }

    private static func senders(_ numbers: Range<Int>) -> [MailSender] {
        numbers.map { number in client(number) { MailSender(of: mail) } }
    }

    @Test func aSenderAloneHasHalfOfTheRoomAndEveryFurtherOneAShare() {
        var room = MailRoom(capacity: 120)
        let senders = Self.senders(1..<6)
        // Each takes what it can: a half, then a half of the rest, and so on; a newcomer always gets in.
        let taken = senders.map { sender in
            (0..<120).count { _ in room.enter(sender) }
        }
        #expect(taken == [60, 30, 15, 8, 4] && room.total == 117)
        for _ in 0..<60 { room.leave(senders[0]) }
        #expect(room.total == 57 && room.enter(senders[0]))
        let seed: UInt64 = 0x3a11
        var generator = SplitMix64(seed: seed)
        var inside: [MailSender] = []
        room = MailRoom(capacity: 40)
        for _ in 0..<5000 {
            if Bool.random(using: &generator), let place = inside.indices.randomElement(using: &generator) {
                room.leave(inside.remove(at: place))
            } else if let sender = senders.randomElement(using: &generator) {
                let isFair = inside.count { $0 == sender } < 40 - inside.count
                #expect(room.enter(sender) == isFair, "seed \(seed)")
                if isFair { inside.append(sender) }
            }
            #expect(room.total == inside.count && room.total <= 40, "seed \(seed)")
        }
    }

    @Test func sendersTakeTurns() {
        let senders = Self.senders(1..<4)
        var line = FairLine<String>()
        for number in 1...4 { line.append("a\(number)", of: senders[0]) }
        line.append("b1", of: senders[1])
        line.append("b2", of: senders[1])
        #expect((0..<2).map { _ in line.next() } == ["a1", "b1"])
        // Somebody who comes late waits for one turn of each, and gets no further one before them.
        line.append("c1", of: senders[2])
        line.append("c2", of: senders[2])
        #expect((0..<7).map { _ in line.next() } == ["a2", "b2", "c1", "a3", "c2", "a4", nil])
        line.append("a5", of: senders[0])
        #expect(line.next() == "a5" && line.next() == nil)
    }

    /// A server that takes the connection and says nothing.
    @Test(.timeLimit(.minutes(10))) func aHangingServerDoesNotHoldUpTheEnd() async throws {
        let (silent, client) = (try LoopbackListener(), Eventually<Void>())
        silent.serve { connection in
            client.settle(.success(()))
            connection.receiveToEnd()
        }
        let stop = MailStop()
        async let failure = Self.send(by: Self.server("smtp://127.0.0.1:\(silent.port)"), until: stop)
        try await client.value
        stop.isWanted.store(true, ordering: .relaxed)
        // libcurl's own deadline would give another reason.
        #expect(try await failure?.reason.contains("callback") == true)
        silent.stop()
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
