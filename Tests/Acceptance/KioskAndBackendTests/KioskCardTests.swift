// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import QRWriting
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A person registered at one kiosk shows a card at another kiosk of the fleet, with a running backend.
@Suite(.timeLimit(.minutes(10))) struct KioskCardTests {
    @Test(arguments: [Dialect.milagro, .trust2025]) func nothingStays(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.register()
            try await client.atAnotherKiosk { person, elsewhere in
                for _ in 1...2 {
                    let (card, browser) = (try await client.card(of: user), try await client.session())
                    #expect(try await person.logIn(browser, at: client, card: card) == "alice@example.com")
                    // No key logs the browser out, because the identity has left.
                    #expect(person.screen.views.last?.actions.count == 1)
                    try await person.leave()
                    client.backend.clock.letDelaysPass()
                }
                #expect(try await elsewhere.mpin.allUsers().isEmpty && elsewhere.storage.changes == 0)
            }
            #expect(!client.backend.log.text.contains("LOGIN-KIOSK-CARD"))
            // The backend knows the card's validity, and only for people who came with one.
            let cards = try await client.state.users().compactMap(\.card)
            #expect(cards.count == 1)
            let ends = WallTime(seconds: client.backend.clock.now.seconds + 86_400)
            #expect(cards.allSatisfy { $0.isTemporary && $0.issued < $0.ends && $0.ends <= ends.zonedText })
        }
    }

    /// Nobody is offered the identity that another person brought.
    @Test func aGuestFromBeforeIsNoPersonOfThisKiosk() async throws {
        try await withClient(.milagro) { client in
            let portable = try await client.mpin.portableIdentity(of: try await client.register())
            try await client.atAnotherKiosk { person, elsewhere in
                #expect(try await elsewhere.mpin.takeGuest(portable).isGuest)
                person.scanner.show(try await client.session().qrText(at: client.backend))
                try await person.screen.view(at: .consent)
                #expect(person.screen.views.last?.lines.contains(Prompt(.consentNobody)) == true)
                #expect(try await elsewhere.mpin.allUsers().isEmpty)
            }
        }
    }

    /// The sizes in the documentation.
    static let sizes: [(Dialect, Int)] = [
        (.milagro, 279), (.mfaV1, 335), (.mfaV2, 1058), (.trust2023, 614), (.trust2025, 614),
    ]

    @Test(arguments: sizes) func fitsACode(_ dialect: Dialect, _ bytes: Int) async throws {
        try await withClient(dialect) { client in
            let (user, _) = try await SigningFlowTests.signer(client, try await client.register())
            // A service reached by http needs ten bytes more.
            #expect(try await client.mpin.portableIdentity(of: user).record.count == bytes + 10)
            let text = Array(try await client.card(of: user).utf8)
            #expect(QRMatrix(alphanumeric: text.span) != nil)
        }
    }

    @Test(arguments: [Dialect.mfaV2, .trust2025])
    func aRevokedCardLogsInNobody(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.register()
            let card = try await client.card(of: user)
            try await client.state.revoke(userID: user.identity)
            try await Self.expectFailure(card, at: client)
        }
    }

    private static func expectFailure(_ card: String, at client: OwnClient) async throws {
        client.backend.clock.letDelaysPass()
        try await client.atAnotherKiosk { person, elsewhere in
            try await person.logIn(card: card, to: try await client.session(), at: client)
            try await person.screen.view(at: .outcome)
            #expect(person.screen.views.last?.tone == .failure && elsewhere.storage.changes == 0)
        }
    }

    /// The server counts the identity's wrong PINs over all its cards.
    @Test func threeWrongPINsBlockIt() async throws {
        try await withClient(.milagro) { client in
            let card = try await client.card(of: try await client.register())
            for number in 1...3 {
                client.backend.clock.letDelaysPass()
                try await client.atAnotherKiosk { person, _ in
                    try await person.logIn(card: card, to: try await client.session(), at: client, pin: "9999")
                    try await person.screen.view { $0.stage == .wrongPIN || $0.stage == .outcome }
                    let view = try #require(person.screen.views.last)
                    #expect(view.stage == (number < 3 ? .wrongPIN : .outcome), "\(number)")
                    if number == 3 { #expect(view.lines == [Prompt(.nextUnblock)]) }
                }
            }
        }
    }

    /// Changes the PIN 1234 of a card to 7392 at another kiosk.
    ///
    /// - Returns: the new card.
    private static func changePIN(of card: String, at client: OwnClient) async throws -> String {
        let other = try await client.atAnotherKiosk { person, elsewhere in
            try await person.show(card: card)
            try await person.press(.changePIN)
            try await person.typePIN("1234")
            for stage in [KioskStage.newPIN, .newPINAgain] { try await person.typePIN("7392", at: stage) }
            try await person.screen.view(at: .issuedCard)
            guard case .card(let text) = person.screen.views.last?.entry else { return "" }
            person.keypad.press(.enter)
            try await person.outcome(.pinChanged)
            #expect(elsewhere.storage.changes == 0)
            return text.text
        }
        #expect(other != card && !other.isEmpty)
        return other
    }

    /// - Returns: whether the card logs a browser in at a kiosk that has never seen it.
    private static func logsIn(_ card: String, _ pin: String, at client: OwnClient) async throws -> Bool {
        client.backend.clock.letDelaysPass()
        return try await client.atAnotherKiosk { person, _ in
            try await person.logIn(try await client.session(), at: client, card: card, pin: pin) == "alice@example.com"
        }
    }

    /// A changed PIN makes another card, and the old card still works with the old PIN.
    @Test(arguments: [Dialect.milagro, .trust2025]) func anotherPINIsAnotherCard(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let card = try await client.card(of: try await client.register())
            let other = try await Self.changePIN(of: card, at: client)
            #expect(try await Self.logsIn(other, "7392", at: client))
            #expect(try await Self.logsIn(card, "1234", at: client))
        }
    }

    /// If the server asks for a new key it comes with a new PIN. The old card works until the new one is used. A
    /// person who never got the new card has lost nothing, and after its first login the old one is worthless.
    @Test(arguments: [Dialect.trust2023, .trust2025])
    func aNewKeyCountsOnceItsCardIsUsed(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.register()
            let card = try await client.card(of: user)
            try await client.state.renew(userID: user.identity)
            let other = try await Self.changePIN(of: card, at: client)
            #expect(
                try await Self.logsIn(card, "1234", at: client), "a card that was never shown took the old one's place")
            #expect(try await Self.logsIn(other, "7392", at: client))
            try await Self.expectFailure(card, at: client)
            #expect(try await Self.logsIn(other, "7392", at: client))
        }
    }

    @Test func isForItsOwnBackend() async throws {
        try await withClient(.milagro) { client in
            let card = try await client.card(of: try await client.register())
            try await withClient(.milagro) { stranger in
                let elsewhere = try await OwnClient(
                    stranger.backend, .milagro, stranger.network, [], trusting: [OwnClient.name(of: client.backend)])
                try await KioskPerson(elsewhere, fleet: .shared, clock: ManualClock()).run { person in
                    try await person.show(card: card)
                    person.scanner.show(try await stranger.session().qrText(at: stranger.backend))
                    try await person.outcome(.cardElsewhere)
                }
            }
        }
    }
}
