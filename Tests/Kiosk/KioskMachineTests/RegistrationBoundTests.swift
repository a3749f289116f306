// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing

@testable import KioskMachine

/// Strangers use the menu to send mails to anybody, and to guess codes.
@Suite("Registrations without a login page are bounded, and may be left to cards")
struct RegistrationBoundTests {
    private static let bounded = KioskPolicy(registrationsPerHour: 2)

    /// Whether an address gets its mail in its own session, at a kiosk that allows two an hour.
    private static func register(
        _ machine: inout KioskMachine, _ session: SessionNumber, named: String = "", verified: Bool = true
    ) -> Bool {
        _ = machine.symbolSeen(Samples.login("code \(session.value)"))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: session)
        let details = BackendSession(namedUser: named, isUserVerified: verified)
        _ = machine.stepEnded(.success(.backendOpened(details)), session: session)
        _ = machine.keyPressed(.enter)
        let address = "dave\(session.value)@example.com"
        if named.isEmpty { for character in address { _ = machine.keyPressed(.character(character)) } }
        let actions = machine.keyPressed(.enter)
        let isBegun = actions.contains { if case .perform(.startRegistration, _) = $0 { true } else { false } }
        #expect(isBegun != actions.contains(.registrationHeldUp(session)))
        return isBegun
    }

    @Test func mailsAreBounded() {
        var machine = KioskMachine(trustsAnything: true, policy: Self.bounded)
        var begun: [Bool] = []
        var session = SessionNumber.none
        for minute in [0, 30, 59, 60, 61, 89, 90] {
            machine.timeIs(.seconds(60 * minute))
            session = SessionNumber(session.value + 1)
            begun.append(Self.register(&machine, session))
            machine.leave(session)
        }
        #expect(begun == [true, true, false, true, false, false, true])
    }

    @Test func theWaitIsTold() {
        var machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(registrationsPerHour: 0))
        _ = Self.register(&machine, SessionNumber(1))
        #expect(machine.view.title == Prompt(.registrationsWait, [.minutes: "60"]))
    }

    /// A stranger's page that names a new person sends mails as the menu does.
    @Test func aStrangersPageIsBounded() {
        var machine = KioskMachine(trustsAnything: true, policy: Self.bounded)
        let begun = (1...3).map { (number: UInt64) in
            let isBegun = Self.register(
                &machine, SessionNumber(number), named: "eve@example.com", verified: false)
            machine.leave(SessionNumber(number))
            return isBegun
        }
        #expect(begun == [true, true, false])
    }

    /// An application that names a new person has its own bounds.
    @Test func whoIsNamedByThePageIsNotBounded() {
        var machine = KioskMachine(trustsAnything: true, policy: Self.bounded)
        var session = SessionNumber.none
        for _ in 0..<5 {
            session = SessionNumber(session.value + 1)
            #expect(Self.register(&machine, session, named: "eve@example.com"))
            machine.leave(session)
        }
    }

    /// Another mail to the same person counts too.
    @Test func furtherMailsCount() {
        var machine = KioskMachine(trustsAnything: true, policy: Self.bounded)
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        let started = Samples.identity(.startedRegistration)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [started]))), session: .one)
        _ = machine.keyPressed(.enter)
        for _ in 0..<2 {
            #expect(machine.keyPressed(.digit(1)).contains(.perform(.restartRegistration(started), .one)))
            _ = machine.stepEnded(.success(.registrationStarted(started)), session: .one)
        }
        #expect(machine.keyPressed(.digit(1)).contains(.registrationHeldUp(.one)))
    }

    /// Codes of other devices are short, so guesses are bounded, too.
    @Test func codesThatAreTriedCount() {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain], errands: [.enrolment], policy: Self.bounded)
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession())), session: .one)
        for character in "dave@example.com" { _ = machine.keyPressed(.character(character)) }
        _ = machine.keyPressed(.enter)
        for _ in 0..<2 {
            _ = machine.keyPressed(.codeKey)
            #expect(
                machine.keyPressed(.enter).contains(
                    .perform(.startRegistrationWithCode(userID: "dave@example.com"), .one)))
            _ = machine.stepEnded(.failure(Samples.failure(.notVerified)), session: .one)
        }
        _ = machine.keyPressed(.codeKey)
        #expect(machine.keyPressed(.enter).contains(.registrationHeldUp(.one)))
    }

    // Errands that only a card begins.

    @Test func anErrandThatIsLeftToCardsIsNotInTheMenu() throws {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain], errands: [.enrolment, .quickCode],
            policy: KioskPolicy(cardErrands: [.enrolment]))
        _ = machine.keyPressed(.menu)
        #expect(machine.view.actions.map(\.label) == [Prompt(.errandQuickCode), Prompt(.actionBack)])
        let enrolment = try #require(ErrandCard(.enrolment))
        let card = CodeReading(
            digest: Samples.digest("card"), verdict: .refused(.notALogin(.noAccessCode)), card: enrolment)
        #expect(machine.symbolSeen(card).contains(.openErrand(.one, .enrolment, service: 0)))
    }

    @Test func aMenuOfCardsAloneIsNone() {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain], errands: [.enrolment],
            policy: KioskPolicy(cardErrands: [.enrolment]))
        #expect(!machine.view.actions.contains { $0.key == .digit(1) })
        #expect(machine.keyPressed(.menu) == [] && machine.view.stage == .scan)
    }
}

extension KioskMachine {
    /// Returns to the idle screen.
    fileprivate mutating func leave(_ session: SessionNumber) {
        _ = stepEnded(.failure(Samples.failure(.untrusted)), session: session)
        _ = keyPressed(.enter)
    }
}
