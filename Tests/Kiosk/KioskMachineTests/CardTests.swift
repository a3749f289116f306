// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// An operator's card in front of the camera begins an errand like the menu.
@Suite("Cards")
struct CardTests {
    private static let services = ["a.example", "b.example"]
    private static let one = KioskMachine.one

    private func machine(
        services: [String] = ["a.example"], doors: Int = 2, errands: [Errand] = Errand.allCases
    ) -> KioskMachine {
        KioskMachine(
            trustsAnything: true, services: services, doors: Array(LocalLoginTests.doors.prefix(doors)),
            errands: errands)
    }

    private static func reading(_ errand: Errand, at place: String? = nil) throws -> CodeReading {
        let card = try #require(ErrandCard(errand, at: place))
        return CodeReading(
            digest: Samples.digest(card.text), verdict: .refused(.notALogin(.noAccessCode)), card: card)
    }

    private static func isErrand(_ action: KioskAction) -> Bool {
        if case .openErrand = action { true } else { false }
    }

    /// The keys for the menu's entry, and the card for the same errand.
    @Test(arguments: Errand.allCases)
    func beginsWhatTheMenuBegins(errand: Errand) throws {
        var byKeys = machine(doors: 1)
        _ = byKeys.keyPressed(.menu)
        let pressed = byKeys.pressEntry(errand)
        var byCard = machine(doors: 1)
        let scanned = byCard.symbolSeen(try Self.reading(errand))
        #expect(
            scanned.first
                == .startTimer(
                    .view(Samples.digest("login-kiosk:\(errand.name)")), KioskTiming.codeLeavesView, .none))
        #expect(Array(scanned.dropFirst()) == [.cardTaken(errand)] + pressed)
        #expect(byCard.view == byKeys.view && byCard.session == byKeys.session)
    }

    @Test func aDoorIsNamedBeforeThePIN() throws {
        var machine = machine()
        #expect(
            machine.symbolSeen(try Self.reading(.localLogin, at: "Lab")).contains(
                .openErrand(Self.one, .localLogin, service: 1)))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: Self.one)
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        #expect(machine.view.stage == .pin && machine.view.title == Prompt(.doorPINTitle, [.name: "Lab"]))
        #expect(machine.view.lines.contains(Prompt(.consentDomain, [.domain: "lab.example.com"])))
    }

    /// A card names a place and never a person: if there are several, the person chooses.
    @Test func aCardNamesNobody() throws {
        var machine = machine()
        _ = machine.symbolSeen(try Self.reading(.localLogin, at: "Lab"))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        _ = machine.stepEnded(
            .success(.backendOpened(BackendSession(identities: [Samples.alice, Samples.bob]))), session: Self.one)
        #expect(machine.view.stage == .identityChoice)
    }

    @Test func aServiceIsNamed() throws {
        var machine = machine(services: Self.services)
        #expect(
            machine.symbolSeen(try Self.reading(.oneTimePassword, at: "b.example")).contains(
                .openErrand(Self.one, .oneTimePassword, service: 1)))
        #expect(machine.view.stage == .connecting)
    }

    @Test func withoutAPlaceThePersonChooses() throws {
        var machine = machine(services: Self.services)
        _ = machine.symbolSeen(try Self.reading(.oneTimePassword))
        #expect(machine.view.stage == .serviceChoice && machine.view.title == Prompt(.serviceChoiceTitle))
        // Another card may be shown there, and replaces the choice.
        _ = machine.symbolSeen(try Self.reading(.localLogin))
        #expect(machine.view.stage == .serviceChoice && machine.view.title == Prompt(.doorChoiceTitle))
    }

    static let strangers: [(Errand, String?)] = [
        (.localLogin, "Vault"), (.localLogin, "a.example"), (.localLogin, "main entrance"),
        (.oneTimePassword, "c.example"), (.oneTimePassword, "Lab"), (.login, "evil.example"), (.quickCode, nil),
        (.quickCode, "a.example"),
    ]

    @Test("A card for an errand that is not in the menu gives a remark, wherever it is shown", arguments: strangers)
    func notOffered(errand: Errand, place: String?) throws {
        let reading = try Self.reading(errand, at: place)
        let start = machine(services: Self.services, errands: Errand.allCases.filter { $0 != .quickCode })
        var idle = start
        #expect(
            idle.symbolSeen(reading).dropFirst() == [
                .refused(.notOffered), .startTimer(.notice, KioskTiming.notice, .none), Samples.wake,
            ])
        #expect(idle.view.stage == .scan && idle.view.hint == Prompt(.cardNotOffered))
        _ = idle.timerFired(.notice, session: .none)
        #expect(idle.view.hint == nil)

        var menu = start
        _ = menu.keyPressed(.menu)
        #expect(menu.symbolSeen(reading).dropFirst() == [.refused(.notOffered)])
        #expect(menu.view.stage == .menu && menu.view.hint == Prompt(.cardNotOffered))
        _ = menu.keyPressed(.menu)
        #expect(menu.view.hint == nil)

        var choice = start
        _ = choice.keyPressed(.digit(0))
        _ = choice.symbolSeen(reading)
        #expect(choice.view.stage == .serviceChoice && choice.view.hint == Prompt(.cardNotOffered))
        _ = choice.keyPressed(.digit(1))
        _ = choice.keyPressed(.enter)
        let another = try Self.reading(errand, at: place.map { $0 + "2" })
        _ = choice.timerFired(.view(another.digest), session: .none)
        _ = choice.symbolSeen(another)
        #expect(choice.view.stage == .codeEntry && choice.view.hint == Prompt(.cardNotOffered))
    }

    @Test("A card without the fleet key's signature gives a remark, wherever it is shown")
    func foreign() {
        let reading = CodeReading(digest: Samples.digest("login-kiosk:door"), verdict: .refused(.foreignCard))
        let start = machine(services: Self.services)
        var idle = start
        #expect(
            idle.symbolSeen(reading).dropFirst() == [
                .refused(.foreignCard), .startTimer(.notice, KioskTiming.cardNotice, .none), Samples.wake,
            ])
        #expect(idle.view.stage == .scan && idle.view.hint == Prompt(.cardForeign))
        var menu = start
        _ = menu.keyPressed(.menu)
        #expect(menu.symbolSeen(reading).dropFirst() == [.refused(.foreignCard)])
        #expect(menu.view.stage == .menu && menu.view.hint == Prompt(.cardForeign))
        var typing = start
        _ = typing.keyPressed(.digit(0))
        _ = typing.symbolSeen(reading)
        #expect(typing.view.stage == .serviceChoice && typing.view.hint == Prompt(.cardForeign))
        _ = typing.keyPressed(.digit(1))
        _ = typing.keyPressed(.enter)
        _ = typing.timerFired(.view(reading.digest), session: .none)
        _ = typing.symbolSeen(reading)
        #expect(typing.view.stage == .codeEntry && typing.view.hint == Prompt(.cardForeign))
    }

    @Test func aTypedCodeIsWipedForIt() throws {
        var machine = machine()
        _ = machine.keyPressed(.digit(0))
        _ = machine.keyPressed(.codeKey)
        let actions = machine.symbolSeen(try Self.reading(.localLogin, at: "Lab"))
        #expect(actions.contains(.code(.wipe)) && actions.contains(.stopTimer(.typing)))
        #expect(actions.contains(where: Self.isErrand) && machine.view.stage == .connecting)
    }

    /// The card is printed, so it can be used again.
    @Test func itMayBeHeldUpAgainOnceItLeftTheView() throws {
        var machine = machine()
        let reading = try Self.reading(.localLogin, at: "Lab")
        _ = machine.symbolSeen(reading)
        _ = machine.keyPressed(.back)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .scan)
        // A card that stays in front of the camera begins nothing twice.
        #expect(!machine.symbolSeen(reading).contains(where: Self.isErrand))
        _ = machine.timerFired(.view(reading.digest), session: .none)
        #expect(machine.symbolSeen(reading).contains(where: Self.isErrand))
    }

    @Test func aRestingScreenWakes() throws {
        var machine = machine(services: Self.services)
        _ = machine.timerFired(.rest, session: .none)
        _ = machine.symbolSeen(try Self.reading(.oneTimePassword))
        #expect(machine.view.stage == .serviceChoice && machine.view.restStep == nil)
    }

    @Test func duringASessionACardIsNothing() throws {
        var machine = machine()
        _ = machine.symbolSeen(Samples.login())
        #expect(machine.symbolSeen(try Self.reading(.localLogin, at: "Lab")) == [])
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession())), session: Self.one)
        #expect(machine.symbolSeen(try Self.reading(.localLogin, at: "Lab")) == [])
        // Where an address is typed, the camera looks for one in any code.
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .identityEntry)
        #expect(!machine.symbolSeen(try Self.reading(.localLogin, at: "Lab")).contains(where: Self.isErrand))
        #expect(machine.view.hint == Prompt(.qrNotAnAddress))
    }

    @Test func aKioskThatTrustsNobodyLooksAtNoCard() throws {
        var machine = KioskMachine(trustsAnything: false, doors: LocalLoginTests.doors, errands: [.localLogin])
        #expect(machine.symbolSeen(try Self.reading(.localLogin, at: "Lab")) == [])
    }
}
