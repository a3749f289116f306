// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import PersonalCards
import Testing
@testable import KioskRuntime

/// An operator's card, with fakes of all ports.
@Suite("Cards between the ports", .timeLimit(.minutes(10)))
struct CardTests {
    private func rig(
        _ doors: [(name: String, door: FakeDoor)], tasks: [KioskTask] = [.localLogin], fleet: FleetKey? = nil
    ) throws -> KioskRig {
        let hosts = ["access.example.com", "lab.example.com"]
        let trust = TrustPolicy(entries: try hosts.map { try TrustEntry($0) })
        let logins = try zip(doors, hosts).map { place, host in
            let application = RelyingPartyApplication(
                at: try WebAddress("https://\(host)"), transport: FakeTransport(), trust: trust,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            return try #require(LocalLogin(place.name, application: application, door: place.door, trust: trust))
        }
        return try KioskRig(trust: hosts, tasks: tasks, localLogins: logins, fleet: fleet)
    }

    @Test func aCardOpensItsDoorAndNoOther() async throws {
        let (main, lab) = (FakeDoor(), FakeDoor())
        let rig = try rig([("Main entrance", main), ("Lab 2/Süd", lab)])
        try await rig.run(
            """
            wait scan; qr "login-kiosk:door/Lab%202%2FS%C3%BCd"; title doorPINTitle(Lab 2/Süd); key 2583 enter
            wait outcome, title doorOpened
            """)
        #expect(lab.people == ["alice@example.com"] && main.people.isEmpty)
        #expect(
            rig.steps.calls == [
                "readService https://lab.example.com", "openBackend -", "freshAccessCode https://lab.example.com",
                "startAuthentication alice@example.com", "finishLocalLogin 2583 fresh1",
            ])
        let events = await rig.events()
        #expect(
            events.filter { $0 == .cardTaken(.localLogin) }
                + events.compactMap { if case .taskBegun = $0 { $0 } else { nil } }
                == [
                    .cardTaken(.localLogin),
                    .taskBegun(SessionNumber(1), .localLogin, domain: "lab.example.com"),
                ])
        #expect(rig.log.text.contains("card taken") && !rig.log.text.contains("alice"))
    }

    @Test func aCardOfAnTaskNamesTheService() async throws {
        let rig = try rig([], tasks: [.oneTimePassword])
        try await rig.run(
            """
            wait scan; qr "login-kiosk:one-time-password/lab.example.com"; wait pin; key back
            wait outcome, title taskLeft
            """)
        #expect(rig.steps.calls.first == "readService https://lab.example.com")
    }

    /// No other code in front of the camera reaches a server.
    @Test(arguments: [
        ("login-kiosk:door/Vault", PromptKey.cardNotOffered), ("login-kiosk:identities", .cardNotOffered),
        ("login-kiosk:one-time-password/evil.example.com", .cardNotOffered),
        ("login-kiosk:door/Main%20entrance?user=alice@example.com", .invalidCode),
        ("login-kiosk:door/Main entrance", .invalidCode),
    ])
    func anythingElseIsARemark(text: String, remark: PromptKey) async throws {
        let door = FakeDoor()
        let rig = try rig([("Main entrance", door)], tasks: [.localLogin, .oneTimePassword])
        try await rig.run { rig in
            try await rig.play("wait scan; qr code", showing: text)
            try await rig.play("wait scan, hint \(remark)")
        }
        #expect(rig.steps.calls == [] && door.people.isEmpty)
        #expect(!rig.log.text.contains("evil") && !rig.log.text.contains("Vault"))
    }

    private static func key(_ byte: UInt8 = 7) throws -> FleetKey {
        try #require(FleetKey(SecretBytes(copying: [UInt8](repeating: byte, count: FleetKey.length))))
    }

    private static func printed(_ place: String, _ key: FleetKey) throws -> String {
        let card = try #require(MenuCard(.localLogin, at: place))
        let signature = try #require(key.signature(ofMenuCard: card.unsignedText))
        return try #require(card.signed(signature)).text
    }

    /// A code that somebody sticks over the operator's card.
    enum Sticker: CaseIterable {
        case unsigned, withoutAPlace, withTheSignatureOfAnotherDoor, ofAnotherFleet

        func text(beside genuine: String) throws -> String {
            let signature = try #require(genuine.split(separator: "?").last)
            return switch self {
            case .unsigned: "login-kiosk:door/Lab"
            case .withoutAPlace: "login-kiosk:door?\(signature)"
            case .withTheSignatureOfAnotherDoor: "login-kiosk:door/Lab?\(signature)"
            case .ofAnotherFleet: try CardTests.printed("Lab", try CardTests.key(8))
            }
        }
    }

    @Test(arguments: Sticker.allCases)
    func aStickerOverTheOperatorsCardBeginsNothing(sticker: Sticker) async throws {
        let (main, lab) = (FakeDoor(), FakeDoor())
        let rig = try rig([("Main entrance", main), ("Lab", lab)], fleet: try Self.key())
        let genuine = try Self.printed("Main entrance", try Self.key())
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(try sticker.text(beside: genuine))
            try await rig.screen.view { $0.stage == .scan && $0.hint == Prompt(.cardForeign) }
            #expect(rig.steps.calls == [])
            try await rig.play(
                """
                qr code; title doorPINTitle(Main entrance); key 2583 enter; wait outcome, title doorOpened
                """, showing: genuine)
        }
        #expect(lab.people.isEmpty && main.people == ["alice@example.com"])
        #expect(rig.log.text.contains("a card that the fleet's key has not signed"))
    }

    @Test func withoutAFleetsKeyASignedCardCountsAsAnyOther() async throws {
        let door = FakeDoor()
        let rig = try rig([("Lab", door)])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show(try Self.printed("Lab", try Self.key()))
            try await rig.play("title doorPINTitle(Lab); key back; wait outcome, title taskLeft")
        }
    }
}
