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

/// A person's card in front of the camera, between fakes of all ports.
@Suite("Personal cards between the ports", .timeLimit(.minutes(1)))
struct PersonalCardTests {
    static func key(_ byte: UInt8 = 1) throws -> FleetKey {
        try #require(FleetKey(SecretBytes(copying: [UInt8](repeating: byte, count: FleetKey.length))))
    }

    /// An identity as the SDK writes it: of a classic backend, with a token.
    static func identity(
        _ userID: String = "carol@example.com", at backend: String = "login.example.com", version: UInt8 = 2
    ) throws -> StoredIdentity {
        let master = try MasterSecret.random()
        let id = MPinID(Array("{}".utf8))
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

    static func text(_ identity: StoredIdentity, _ key: FleetKey) throws -> String {
        let text = try #require(PersonalCard(identity).text(sealedWith: key))
        return text.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    @Test func logsItsPersonInAndIsForgotten() async throws {
        let identity = try Self.identity()
        #expect(MPin.isPortable(identity))
        let rig = try KioskRig(fleet: try Self.key())
        let card = try Self.text(identity, try Self.key())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(card)
            try await rig.screen.view(at: .card)
            let view = try #require(rig.screen.views.last)
            #expect(view.lines.contains(Prompt(.consentUser, [.user: "carol@example.com"])))
            #expect(view.lines.contains(Prompt(.consentDomain, [.domain: "login.example.com"])))
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2580")
            try await rig.outcome(.success)
            try await rig.steps.waitForCall("dismissGuests")
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .scan)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend c0de1", "takeGuest carol@example.com",
                "startAuthentication carol@example.com", "finishAuthentication 2580", "dismissGuests -",
            ])
        #expect(rig.log.text.contains("personal card taken"))
        #expect(!rig.log.text.contains("carol") && !rig.log.text.contains("LOGIN-KIOSK-CARD"))
    }

    /// Of a person who left nothing is there for the next one.
    @Test func isForgottenWithoutALogin() async throws {
        let rig = try KioskRig(fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(card)
            try await rig.screen.view(at: .card)
            rig.keypad.press(.back)
            try await rig.screen.view(at: .scan)
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.back)
            try await rig.outcome(.declined)
        }
        #expect(!rig.steps.calls.contains { $0.hasPrefix("takeGuest") || $0.hasPrefix("dismissGuests") })
    }

    @Test func isForgottenByAPersonWhoSaysNo() async throws {
        let rig = try KioskRig(fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(card)
            try await rig.screen.view(at: .card)
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.back)
            try await rig.outcome(.declined)
            try await rig.steps.waitForCall("dismissGuests")
        }
        #expect(rig.steps.calls.contains("abort c0de1"))
    }

    static let refused: [(String, PromptKey)] = [
        ("", .cardOtherFleet), ("short", .cardDamaged), ("2", .cardNewer), ("record", .cardNewer),
        ("evil.example.com", .cardUntrusted), ("login.example.com:8443", .cardUntrusted), ("none", .cardNoFleet),
    ]

    @Test("What is no card for this kiosk reaches no server", arguments: refused)
    func refusals(what: String, remark: PromptKey) async throws {
        let rig = try KioskRig(fleet: what == "none" ? nil : try Self.key())
        let text =
            switch what {
            case "": try Self.text(try Self.identity(), try Self.key(2))
            case "short": String(try Self.text(try Self.identity(), try Self.key()).dropLast(30))
            case "2": "LOGIN-KIOSK-CARD:2:ABC"
            case "record": try Self.text(try Self.identity(version: 9), try Self.key())
            case "none": try Self.text(try Self.identity(), try Self.key())
            default: try Self.text(try Self.identity(at: what), try Self.key())
            }
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(text)
            try await rig.screen.view { $0.stage == .scan && $0.hint == Prompt(remark) }
        }
        #expect(rig.steps.calls == [])
        #expect(!rig.log.text.contains("carol") && !rig.log.text.contains("evil"))
    }

    /// A backend that the list knows only as what a service leads to.
    @Test(arguments: ["rps.example.com/a#project", "rps.example.com"])
    func isOfABackendBehindAnArrow(backend: String) async throws {
        let rig = try KioskRig(trust: ["login.example.com -> rps.example.com"], fleet: try Self.key())
        let card = try Self.text(try Self.identity(at: backend), try Self.key())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(card)
            try await rig.screen.view(at: .card)
            let view = try #require(rig.screen.views.last)
            #expect(view.lines.contains(Prompt(.consentDomain, [.domain: "rps.example.com"])))
        }
    }

    @Test func showsTheCardThatWasMade() async throws {
        let rig = try KioskRig(errands: [.identities], fleet: try Self.key())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu)
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .identityDetails)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2580")
            try await rig.screen.view(at: .issuedCard)
            let view = try #require(rig.screen.views.last)
            #expect(view.entry == .card(FakeStepRunner.card))
            #expect(!"\(view)".contains("LOGIN-KIOSK-CARD"))
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .scan)
        }
        #expect(rig.steps.calls.suffix(2) == ["finishConfirming 2580", "writeCard alice@example.com"])
        #expect(!rig.log.text.contains("LOGIN-KIOSK-CARD"))
    }

    @Test func aPersonWithACardLeavesWithAnother() async throws {
        let rig = try KioskRig(errands: [.changePIN], fleet: try Self.key())
        let card = try Self.text(try Self.identity(), try Self.key())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(card)
            try await rig.screen.view(at: .card)
            rig.keypad.press(.menu)
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2580")
            for stage in [KioskStage.newPIN, .newPINAgain] {
                try await rig.screen.view(at: stage)
                try await rig.typePIN("7193")
            }
            try await rig.screen.view { $0.stage == .issuedCard && $0.entry == .card(FakeStepRunner.card) }
            rig.keypad.press(.enter)
            try await rig.outcome(.pinChanged)
            try await rig.steps.waitForCall("dismissGuests")
        }
        #expect(
            rig.steps.calls.dropFirst(2) == [
                "takeGuest carol@example.com", "startConfirming carol@example.com", "changePIN 2580 7193",
                "writeCard carol@example.com", "dismissGuests -",
            ])
    }

    /// A PIN that only a card has which cannot be shown would be lost.
    @Test func aSmallScreenChangesNoPIN() async throws {
        let card = try Self.text(try Self.identity(), try Self.key())
        let rig = try KioskRig(errands: [.changePIN], fleet: try Self.key(), cardRoom: card.utf8.count - 1)
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(card)
            try await rig.screen.view(at: .card)
            rig.keypad.press(.menu)
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.outcome(.cardNeedsLargerScreen)
            try await rig.steps.waitForCall("dismissGuests")
        }
        #expect(rig.steps.calls.dropFirst(2) == ["takeGuest carol@example.com", "dismissGuests -"])
    }

    @Test func aSmallScreenShowsNoPartOfACard() async throws {
        let rig = try KioskRig(errands: [.identities], fleet: try Self.key(), cardRoom: 10)
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu)
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .identityDetails)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2580")
            try await rig.outcome(.cardNeedsRoom)
        }
        #expect(!rig.screen.views.contains { $0.stage == .issuedCard })
    }
}
