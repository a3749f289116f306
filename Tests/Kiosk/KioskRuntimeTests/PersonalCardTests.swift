// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import MPinCrypto
import PersonalCards
import Testing
@testable import KioskRuntime

/// A person's card in front of the camera, with fakes of all ports.
@Suite("Personal cards between the ports", .timeLimit(.minutes(10)))
struct PersonalCardTests {
    static func key(_ byte: UInt8 = 1) throws -> FleetKey {
        try #require(FleetKey(SecretBytes(copying: [UInt8](repeating: byte, count: FleetKey.length))))
    }

    /// An identity in the SDK's form: of a classic backend, with a token.
    static func identity(
        _ userID: String = "carol@example.com", at backend: String = "login.example.com", version: UInt8 = 2,
        of mpinUser: String? = nil
    ) throws -> StoredIdentity {
        let master = try MasterSecret.random()
        let id = MPinID(Array("{\"userID\":\"\(mpinUser ?? userID)\"}".utf8))
        let token = try master.clientSecretShare(for: MPinIdentity(id).hashed).withBytes { bytes in
            bytes.indices.map { bytes[$0] }
        }
        let fields: [[UInt8]] =
            ["milagro", "registered"].map { Array($0.utf8) } + [id.bytes] + Array(repeating: [], count: 5)
            + [token, Array("decimal".utf8), [4]] + Array(repeating: [], count: 14)
        let record = [version] + fields.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
        return StoredIdentity(
            key: IdentityKey(userID: userID, backend: backend), record: SecretBytes(copying: record))
    }

    /// - Parameters:
    ///   - ends: seconds after ``KioskRig/now``.
    ///   - issued: seconds after ``KioskRig/now``.
    static func text(
        _ identity: StoredIdentity, _ key: FleetKey, issued: Int64 = 0, ends: Int64 = 3600
    ) throws -> String {
        let period = try #require(CardPeriod(from: KioskRig.now + issued, to: KioskRig.now + ends))
        let text = try #require(PersonalCard(identity, period).text(sealedWith: key))
        return text.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    @Test func logsItsPersonInAndIsForgotten() async throws {
        let identity = try Self.identity()
        #expect(MPin.isPortable(identity))
        let rig = try KioskRig(fleet: try Self.key())
        let card = try Self.text(identity, try Self.key())
        try await rig.run { rig in
            try await rig.play("wait scan; qr code; wait card", showing: card)
            let view = try #require(rig.screen.views.last)
            #expect(view.lines.contains(Prompt(.consentUser, [.user: "carol@example.com"])))
            #expect(view.lines.contains(Prompt(.consentDomain, [.domain: "login.example.com"])))
            let ends = LocalTime.text(KioskRig.now + 3600)
            #expect(view.lines.contains(Prompt(.cardEnds, [.time: ends])) && ends.hasPrefix("2026-11-2"))
            try await rig.play(
                """
                qr login; wait consent; key enter; wait pin; key 2583 enter; wait outcome, title success
                called forgetTries; key enter; wait scan
                """)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend c0de1", "takeGuest carol@example.com",
                "startAuthentication carol@example.com", "finishAuthentication 2583", "dismissGuests -",
                // Strangers' attempts in this person's name are forgotten.
                "forgetTries carol@example.com",
            ])
        #expect(rig.log.text.contains("personal card taken"))
        #expect(!rig.log.text.contains("carol") && !rig.log.text.contains("LOGIN-KIOSK-CARD"))
    }

    /// Nothing of a person who left is there for the next one.
    @Test func isForgottenWithoutALogin() async throws {
        let rig = try KioskRig(fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key())
        try await rig.run(
            """
            wait scan; qr code; wait card; key back; wait scan; qr login; wait consent; key back
            wait outcome, title declined
            """, showing: card)
        #expect(!rig.steps.calls.contains { $0.hasPrefix("takeGuest") || $0.hasPrefix("dismissGuests") })
    }

    @Test func isForgottenByAPersonWhoSaysNo() async throws {
        let rig = try KioskRig(fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key())
        try await rig.run(
            """
            wait scan; qr code; wait card; qr login; wait consent; key back; wait outcome, title declined
            called dismissGuests
            """, showing: card)
        #expect(rig.steps.calls.contains("abort c0de1"))
    }

    static let refused: [(String, PromptKey)] = [
        ("", .cardOtherFleet), ("short", .cardDamaged), ("newer", .cardNewer), ("record", .cardNewer),
        ("older", .cardExpired), ("over", .cardExpired), ("to come", .cardNotYet), ("of bob", .cardDamaged),
        ("of nobody", .cardDamaged), ("evil.example.com", .cardUntrusted), ("login.example.com:8443", .cardUntrusted),
        ("none", .cardNoFleet),
    ]

    @Test("A code that is no card for this kiosk reaches no server", arguments: refused)
    func refusals(what: String, remark: PromptKey) async throws {
        let rig = try KioskRig(fleet: what == "none" ? nil : try Self.key())
        let text =
            switch what {
            case "": try Self.text(try Self.identity(), try Self.key(2))
            case "short": String(try Self.text(try Self.identity(), try Self.key()).dropLast(30))
            case "newer": "LOGIN-KIOSK-CARD:3:ABC"
            case "older": "LOGIN-KIOSK-CARD:1:ABC"
            case "over": try Self.text(try Self.identity(), try Self.key(), issued: -7200, ends: 0)
            case "to come": try Self.text(try Self.identity(), try Self.key(), issued: 90_000, ends: 100_000)
            case "of bob": try Self.text(try Self.identity(of: "bob@example.com"), try Self.key())
            case "of nobody": try Self.text(try Self.identity(of: ""), try Self.key())
            case "record": try Self.text(try Self.identity(version: 9), try Self.key())
            case "none": try Self.text(try Self.identity(), try Self.key())
            default: try Self.text(try Self.identity(at: what), try Self.key())
            }
        try await rig.run { rig in
            try await rig.play("wait scan; qr code", showing: text)
            try await rig.play("wait scan, hint \(remark)")
        }
        #expect(rig.steps.calls == [])
        #expect(!rig.log.text.contains("carol") && !rig.log.text.contains("evil"))
    }

    /// A backend that is on the list only in a delegation.
    @Test(arguments: ["rps.example.com/a#project", "rps.example.com"])
    func isOfABackendThatIsOnlyDelegatedTo(backend: String) async throws {
        let rig = try KioskRig(trust: ["login.example.com -> rps.example.com"], fleet: try Self.key())
        let card = try Self.text(try Self.identity(at: backend), try Self.key())
        try await rig.run { rig in
            try await rig.play("wait scan; qr code; wait card", showing: card)
            try await rig.play("line consentDomain(rps.example.com)")
        }
    }

    /// No code is read before the clock is set, so no card is wrongly refused, and no expired one is accepted.
    @Test func waitsForTheTime() async throws {
        let clock = ClockTests.Clock()
        let rig = try KioskRig(isClockSet: { clock.hasTime }, fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key())
        try await rig.run { rig in
            try await rig.screen.view { $0.title.key == .waitingForTime }
            rig.scanner.show(card)
            clock.set()
            while rig.screen.views.last?.title.key == .waitingForTime {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            try await rig.play("qr code; wait card", showing: card)
        }
        #expect(!rig.screen.views.contains { [.cardExpired, .cardNotYet].contains($0.hint?.key) })
    }

    /// The audit log names the card that a person brought, and the card made of it.
    @Test func isInTheRecord() async throws {
        let watch = EndedSessionTests.Listener()
        let rig = try KioskRig(tasks: [.changePIN], observers: [watch], fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key(), issued: -60)
        try await rig.run(
            """
            wait scan; qr code; wait card; qr login; wait consent; key back; wait outcome, title declined
            """, showing: card)
        let ended = try #require(watch.sessions.first)
        #expect(ended.card == CardPeriod(from: KioskRig.now - 60, to: KioskRig.now + 3600) && ended.newCard == nil)
    }

    @Test func showsTheCardThatWasMade() async throws {
        let rig = try KioskRig(tasks: [.identities], fleet: try Self.key())
        try await rig.run { rig in
            try await rig.play(
                """
                wait scan; key menu 1; wait identityDetails; key 1; wait pin; key 2583 enter
                wait issuedCard
                """)
            let view = try #require(rig.screen.views.last)
            #expect(view.entry == .card(FakeStepRunner.card))
            #expect(!"\(view)".contains("LOGIN-KIOSK-CARD"))
            try await rig.play("key enter; wait scan")
        }
        #expect(rig.steps.calls.suffix(2) == ["finishConfirming 2583", "writeCard alice@example.com"])
        #expect(!rig.log.text.contains("LOGIN-KIOSK-CARD"))
    }

    @Test func aPersonWithACardLeavesWithAnother() async throws {
        let rig = try KioskRig(tasks: [.changePIN], fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key())
        try await rig.run { rig in
            try await rig.play(
                """
                wait scan; qr code; wait card; key menu; wait menu; key 1; wait pin; key 2583 enter
                """, showing: card)
            try await rig.play(
                """
                wait newPIN; key 7193 enter; wait newPINAgain; key 7193 enter
                wait issuedCard, entry card LOGIN-KIOSK-CARD:1:NEW
                key enter; wait outcome, title pinChanged; called forgetTries
                """)
        }
        #expect(
            rig.steps.calls.dropFirst(2) == [
                "takeGuest carol@example.com", "startConfirming carol@example.com", "changePIN 2583 7193",
                "writeCard carol@example.com", "dismissGuests -", "forgetTries carol@example.com",
            ])
    }

    /// A PIN for a card that cannot be shown would be lost.
    @Test func aSmallScreenChangesNoPIN() async throws {
        let card = try Self.text(try Self.identity(), try Self.key())
        let rig = try KioskRig(tasks: [.changePIN], fleet: try Self.key(), cardRoom: card.utf8.count - 1)
        try await rig.run(
            """
            wait scan; qr code; wait card; key menu; wait menu; key 1
            wait outcome, title cardNeedsLargerScreen; called dismissGuests
            """, showing: card)
        #expect(rig.steps.calls.dropFirst(2) == ["takeGuest carol@example.com", "dismissGuests -"])
    }

    @Test func aSmallScreenShowsNoPartOfACard() async throws {
        let rig = try KioskRig(tasks: [.identities], fleet: try Self.key(), cardRoom: 10)
        try await rig.run(
            """
            wait scan; key menu 1; wait identityDetails; key 1; wait pin; key 2583 enter
            wait outcome, title cardNeedsRoom
            """)
        #expect(!rig.screen.views.contains { $0.stage == .issuedCard })
    }
}
