// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing

@testable import KioskMachine

/// Strangers use the menu to send mails to anybody, and to guess codes.
@Suite("Registrations without a login page are bounded, and may be left to cards")
struct RegistrationBoundTests {
    private static let bounded = KioskPolicy(registrationsPerHour: 2)

    private static func visit(_ policy: KioskPolicy = bounded, tasks: [KioskTask] = [.registerWithCode]) -> Visit {
        Visit(KioskMachine(trustsAnything: true, services: [Samples.domain], tasks: tasks, policy: policy))
    }

    /// Begins a registration in a session of its own.
    ///
    /// - Returns: whether the mail is sent.
    private static func register(_ visit: inout Visit, minute: Int = 0, _ session: String = "") -> Bool {
        let number = visit.session.value + 1
        visit = visit.after { machine in
            machine.timeIs(.seconds(60 * minute))
            return []
        }.play("qr login \(number); connect \(session); key enter")
        if session.isEmpty { visit = visit.play("type dave\(number)@example.com") }
        let asked = visit.play("key enter")
        let isBegun = asked.actions.contains { if case .perform(.startRegistration, _) = $0 { true } else { false } }
        visit = asked.play(
            "-> \(isBegun ? "perform startRegistration, no registrationHeldUp" : "registrationHeldUp")"
        ).play("fail untrusted; key enter")
        return isBegun
    }

    @Test func mailsAreBounded() {
        var visit = Self.visit()
        let begun = [0, 30, 59, 60, 61, 89, 90].map { Self.register(&visit, minute: $0) }
        #expect(begun == [true, true, false, true, false, false, true])
        // A stranger's page that names a new person sends mails as the menu does.
        var stranger = Self.visit()
        let named = (1...3).map { _ in Self.register(&stranger, "named eve@example.com") }
        #expect(named == [true, true, false])
        // An application that names a new person has its own bounds.
        var application = Self.visit()
        for _ in 0..<5 { #expect(Self.register(&application, "named eve@example.com verified")) }
    }

    @Test func theWaitIsTold() {
        Self.visit(KioskPolicy(registrationsPerHour: 0))
            .play("qr login; connect; key enter; type dave@example.com; key enter; title registrationsWait(60)")
    }

    /// Another mail to the same person counts too. Codes of other devices are short, so guesses are bounded, too.
    @Test func furtherMailsAndCodesCount() {
        Self.visit().play(
            """
            qr login; connect startedRegistration; key enter
            key 1 -> perform restartRegistration; answer registrationStarted startedRegistration
            key 1 -> perform restartRegistration; answer registrationStarted startedRegistration
            key 1 -> registrationHeldUp
            or
            key menu 1; connect; type dave@example.com; key enter
            key 7 enter -> perform startRegistrationWithCode dave@example.com; fail notVerified
            key 7 enter -> perform startRegistrationWithCode dave@example.com; fail notVerified
            key 7 enter -> registrationHeldUp
            """)
    }

    // Tasks that only a card begins.

    @Test func aTaskThatIsLeftToCardsIsNotInTheMenu() throws {
        let cards = KioskPolicy(cardTasks: [.registerWithCode])
        var visit = Self.visit(cards, tasks: [.registerWithCode, .registrationCode])
        visit.codes["card"] = CodeReading(
            digest: Samples.digest("card"), decision: .refused(.notALogin(.noAccessCode)),
            card: MenuCard(.registerWithCode))
        visit.play("key menu; keys 1 taskRegistrationCode + back actionBack; qr card -> openTask registerWithCode 0")
        // A menu of cards alone is none.
        let without = Self.visit(cards).play("key menu => nothing; wait scan")
        #expect(!without.view.actions.contains { $0.key == .digit(1) })
    }
}
