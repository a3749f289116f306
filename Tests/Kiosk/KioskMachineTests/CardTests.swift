// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// An operator's card in front of the camera begins a task like the menu.
@Suite("Cards")
struct CardTests {
    private static func reading(_ task: KioskTask, at place: String? = nil) throws -> CodeReading {
        let card = try #require(MenuCard(task, at: place))
        return CodeReading(
            digest: Samples.digest(card.text), decision: .refused(.notALogin(.noAccessCode)), card: card)
    }

    private func visit(
        services: [String] = ["a.example", "b.example"], doors: Int = 2, tasks: [KioskTask] = KioskTask.allCases,
        _ codes: [String: CodeReading] = [:]
    ) throws -> Visit {
        var codes = codes
        codes["lab"] = try Self.reading(.localLogin, at: "Lab")
        codes["door"] = try Self.reading(.localLogin)
        codes["password"] = try Self.reading(.oneTimePassword)
        codes["password at b"] = try Self.reading(.oneTimePassword, at: "b.example")
        return Visit(
            KioskMachine(
                trustsAnything: true, services: services, doors: Array(LocalLoginTests.doors.prefix(doors)),
                tasks: tasks), codes: codes)
    }

    /// The keys for the menu's entry, and the card for the same task.
    @Test(arguments: KioskTask.allCases)
    func beginsWhatTheMenuBegins(task: KioskTask) throws {
        let start = try visit(services: ["a.example"], doors: 1, ["card": Self.reading(task)])
        let byKeys = start.play("key menu").after { $0.pressEntry(task) }
        let byCard = start.play("qr card -> startTimer view card 3s, cardTaken \(task)")
        #expect(Array(byCard.actions.dropFirst(2)) == byKeys.actions)
        #expect(byCard.view == byKeys.view && byCard.session == byKeys.session)
    }

    /// A card names a place and never a person: if there are several, the person chooses.
    @Test func namesAPlaceAndNobody() throws {
        try visit().play(
            """
            qr lab -> openTask localLogin 1; connect alice; answer authenticationStarted
            wait pin, title doorPINTitle(Lab), line consentDomain(lab.example.com)
            or
            qr lab; connect alice bob; wait identityChoice
            or
            qr password at b -> openTask oneTimePassword 1; wait connecting
            or
            qr password; wait serviceChoice, title serviceChoiceTitle
            # Another card may be shown there, and replaces the choice.
            qr door; wait serviceChoice, title doorChoiceTitle
            """)
    }

    static let strangers: [(KioskTask, String?)] = [
        (.localLogin, "Vault"), (.localLogin, "a.example"), (.localLogin, "main entrance"),
        (.oneTimePassword, "c.example"), (.oneTimePassword, "Lab"), (.login, "evil.example"), (.registrationCode, nil),
        (.registrationCode, "a.example"),
    ]

    /// A card gives a remark, wherever it is shown.
    private func remarks(_ reading: CodeReading, _ refusal: String, _ hint: PromptKey, seconds: Int) throws {
        try visit(tasks: KioskTask.allCases.filter { $0 != .registrationCode }, ["card": reading]).play(
            """
            qr card => startTimer view, refused \(refusal), startTimer notice \(seconds)s, startTimer rest
            wait scan, hint \(hint); time notice; hint none
            or
            key menu; qr card => startTimer view, refused \(refusal)
            wait menu, hint \(hint); key menu; hint none
            or
            key 0; qr card; wait serviceChoice, hint \(hint)
            key 1 enter; time view card; qr card; wait codeEntry, hint \(hint)
            """)
    }

    @Test("A card for a task that is not in the menu", arguments: strangers)
    func notOffered(task: KioskTask, place: String?) throws {
        try remarks(Self.reading(task, at: place), "a card that is not for this kiosk", .cardNotOffered, seconds: 3)
    }

    @Test("A card without the fleet key's signature")
    func foreign() throws {
        try remarks(
            CodeReading(digest: Samples.digest("login-kiosk:door"), decision: .refused(.foreignCard)),
            "a card that the fleet's key has not signed", .cardForeign, seconds: 8)
    }

    @Test func wipesATypedCode() throws {
        try visit(services: ["a.example"]).play(
            "key 0 7; qr lab -> openTask; -> code wipe; -> stopTimer typing; wait connecting")
    }

    /// The card is printed, so it can be used again. One that stays in front of the camera begins nothing twice.
    @Test func mayBeHeldUpAgainOnceItLeftTheView() throws {
        try visit().play(
            """
            qr lab; key back enter; wait scan; qr lab -> no openTask
            time view lab; qr lab -> openTask
            """)
    }

    @Test func aRestingScreenWakes() throws {
        let visit = try visit().play("time rest; qr password; wait serviceChoice")
        #expect(visit.view.restStep == nil)
    }

    @Test func meansNothingDuringASession() throws {
        // Where an address is typed, the camera looks for one in any code.
        try visit().play(
            """
            qr login; qr lab => nothing
            connect; qr lab => nothing
            key enter; wait identityEntry; qr lab -> no openTask; hint qrNotAnAddress
            """)
    }

    @Test func meansNothingAtAKioskThatTrustsNobody() throws {
        let machine = KioskMachine(trustsAnything: false, doors: LocalLoginTests.doors, tasks: [.localLogin])
        Visit(machine, codes: ["lab": try Self.reading(.localLogin, at: "Lab")]).play("qr lab => nothing")
    }
}
