// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// A login at the kiosk itself, from the menu to the open door.
@Suite struct LocalLoginTests {
    static let doors = [
        DoorChoice(name: "Main entrance", domain: "access.example.com"),
        DoorChoice(name: "Lab", domain: "lab.example.com"),
    ]

    private func machine(doors: Int = 1, services: [String] = [Samples.domain]) -> KioskMachine {
        KioskMachine(
            trustsAnything: true, services: services, doors: Array(Self.doors.prefix(doors)),
            errands: [.oneTimePassword, .localLogin])
    }

    /// The last step before the PIN is verified.
    private func authenticating(isPicked: Bool = false) -> KioskMachine {
        var machine = machine()
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(2))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: KioskMachine.one)
        let identities = isPicked ? [Samples.alice, Samples.bob] : [Samples.alice]
        _ = machine.stepEnded(
            .success(.backendOpened(BackendSession(identities: identities))), session: KioskMachine.one)
        if isPicked {
            _ = machine.keyPressed(.digit(1))
            _ = machine.keyPressed(.enter)
        }
        _ = machine.stepEnded(.success(.authenticationStarted), session: KioskMachine.one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }

    @Test func theMenuOpensTheOnlyDoor() {
        var machine = machine()
        _ = machine.keyPressed(.menu)
        #expect(machine.view.actions.contains(ViewAction(.digit(2), .errandLocalLogin)))
        let actions = machine.keyPressed(.digit(2))
        #expect(actions.contains(.openErrand(KioskMachine.one, .localLogin, service: 0)))
        #expect(actions.contains(.perform(.readService, KioskMachine.one)))
        #expect(machine.view.stage == .connecting)
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: KioskMachine.one)
        // A person who began the login here need not consent.
        #expect(
            machine.stepEnded(
                .success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: KioskMachine.one
            )
            .contains(.perform(.startAuthentication(Samples.alice, for: .localLogin), KioskMachine.one)))
        _ = machine.stepEnded(.success(.authenticationStarted), session: KioskMachine.one)
        #expect(machine.view.stage == .pin && machine.view.title == Prompt(.doorPINTitle, [.name: "Main entrance"]))
        machine.typePIN()
        #expect(
            machine.keyPressed(.enter)
                .contains(.perform(.finishAuthentication(Samples.alice, for: .localLogin), KioskMachine.one)))
        let end = machine.stepEnded(.success(.errandDone), session: KioskMachine.one)
        #expect(end.contains(.closeSession(KioskMachine.one, .doorOpened)))
        #expect(machine.view.tone == .success && machine.view.title == Prompt(.doorOpened))
        #expect(machine.view.lines == [Prompt(.doorOpenedAt, [.service: "Example"])])
    }

    @Test func severalDoorsAreChosenByNumber() {
        var machine = machine(doors: 2, services: [])
        _ = machine.keyPressed(.menu)
        // Without a service with a name, the menu has only doors.
        #expect(machine.view.actions.first == ViewAction(.digit(1), .errandLocalLogin))
        _ = machine.keyPressed(.digit(1))
        #expect(machine.view.stage == .serviceChoice && machine.view.title == Prompt(.doorChoiceTitle))
        #expect(machine.view.lines.first == Prompt(.doorChoiceHelp))
        #expect(machine.view.lines.contains(Prompt(.listEntry, [.number: "2", .user: "Lab"])))
        _ = machine.keyPressed(.digit(3))
        _ = machine.keyPressed(.enter)
        #expect(machine.view.hint == Prompt(.doorNumberUnknown))
        _ = machine.keyPressed(.digit(2))
        #expect(machine.keyPressed(.enter).contains(.openErrand(KioskMachine.one, .localLogin, service: 1)))
    }

    /// With more doors than fit a page there are several pages, and one entry in the menu.
    @Test func manyDoorsHavePages() {
        let doors = (1...8).map { DoorChoice(name: "Door \($0)", domain: "access.example.com") }
        var machine = KioskMachine(trustsAnything: true, doors: doors, errands: [.localLogin])
        _ = machine.keyPressed(.menu)
        #expect(machine.view.actions.map(\.key) == [.digit(1), .back])
        _ = machine.keyPressed(.digit(1))
        func shown() -> [String] { machine.view.lines.compactMap { $0.values[.number] } }
        #expect(shown() == ["1", "2", "3", "4", "5", "6"])
        _ = machine.keyPressed(.menu)
        #expect(shown() == ["7", "8"])
        _ = machine.keyPressed(.digit(8))
        #expect(machine.keyPressed(.enter).contains(.openErrand(KioskMachine.one, .localLogin, service: 7)))
    }

    @Test func withoutADoorTheMenuHasNone() {
        var machine = machine(doors: 0)
        _ = machine.keyPressed(.menu)
        #expect(!machine.view.actions.contains { $0.label.key == .errandLocalLogin })
        #expect(machine.keyPressed(.digit(2)).contains { if case .openErrand = $0 { true } else { false } } == false)
    }

    @Test func whoeverIsNewRegistersFirst() {
        var machine = machine()
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(2))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: KioskMachine.one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession())), session: KioskMachine.one)
        #expect(machine.view.stage == .identityEntry)
        for character in "alice" + "@example.com" { _ = machine.keyPressed(.character(character)) }
        #expect(
            machine.keyPressed(.enter).contains(
                .perform(.startRegistration(userID: "alice@example.com"), KioskMachine.one))
        )
        _ = machine.stepEnded(.success(.registrationStarted(Samples.identity(.activated))), session: KioskMachine.one)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: KioskMachine.one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        #expect(
            machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: KioskMachine.one)
                .contains(.perform(.startAuthentication(Samples.alice, for: .localLogin), KioskMachine.one)))
    }

    /// The reason why the door did not open, the session's outcome, the screen's sentence and advice, and whether the
    /// identity is deleted.
    static let failures: [(SessionOutcome, SessionOutcome, PromptKey, PromptKey?, Bool)] = [
        (.blocked, .blocked, .blocked, .nextUnblock, false), (.revoked, .revoked, .revoked, nil, true),
        (.secretExpired, .secretExpired, .secretExpired, nil, true),
        (.notAuthorized, .notAuthorized, .notAuthorized, .nextAskService, false),
        (.sessionExpired, .sessionExpired, .errandExpired, .nextMenu, false),
        (.unreachable, .unreachable, .unreachable, nil, false),
        (.outcomeUnknown, .outcomeUnknown, .errandOutcomeUnknown, .nextMenu, false),
        (.untrusted, .untrusted, .backendUntrusted, nil, false),
        (.failed, .failed, .authenticationFailed, .nextTryLater, false),
        (.tooOften, .tooOften, .doorTooOften, .nextTryLater, false),
        (.doorFailed, .doorFailed, .doorFailed, .nextTellOperator, false),
        (.doorUnknown, .doorUnknown, .doorUnknown, .nextTellOperator, false),
    ]

    @Test(arguments: failures) func saysWhyTheDoorStaysShut(
        _ reason: SessionOutcome, _ outcome: SessionOutcome, _ title: PromptKey, _ next: PromptKey?,
        _ deletes: Bool
    ) {
        var machine = authenticating()
        let actions = machine.stepEnded(
            .failure(Samples.failure(reason, passTwoWasSent: true)), session: KioskMachine.one)
        #expect(actions.contains(.closeSession(KioskMachine.one, outcome)))
        #expect(actions.contains(.deleteIdentity(Samples.alice)) == deletes)
        #expect(machine.view.tone == .failure && machine.view.title.key == title)
        #expect(machine.view.lines.map(\.key) == [next].compactMap(\.self))
    }

    @Test func nobodyIsAskedForAPINForATiredDoor() {
        var machine = machine()
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(2))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: KioskMachine.one)
        _ = machine.stepEnded(
            .success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: KioskMachine.one)
        #expect(
            machine.stepEnded(.failure(Samples.failure(.tooOften)), session: KioskMachine.one)
                .contains(.closeSession(KioskMachine.one, .tooOften)))
        #expect(machine.view.title == Prompt(.doorTooOften))
    }

    @Test func aWrongPINIsTypedAgainUnlessSomebodyWasPicked() {
        var machine = authenticating()
        #expect(
            machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: KioskMachine.one)
                .contains(.startTimer(.wrongPIN, .seconds(1), KioskMachine.one)))
        _ = machine.timerFired(.wrongPIN, session: KioskMachine.one)
        #expect(machine.view.stage == .pin)
        machine = authenticating(isPicked: true)
        #expect(
            machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: KioskMachine.one)
                .contains(.closeSession(KioskMachine.one, .wrongPIN)))
        #expect(machine.view.lines == [Prompt(.nextMenu)])
    }

    @Test func anAnswerOfAnotherSessionOrStepOpensNothing() {
        var machine = authenticating()
        #expect(
            machine.stepEnded(.success(.errandDone), session: SessionNumber(9)).isEmpty
                && machine.session == KioskMachine.one)
        #expect(machine.refuses(.authenticated()) && machine.refuses(.codeIssued(lifetime: .seconds(9))))
        #expect(KioskMachine.authenticating().refuses(.errandDone))
    }

    @Test func whoWalksAwayLeavesTheDoorShut() {
        var machine = authenticating()
        _ = machine.stepEnded(.failure(Samples.failure(.wrongPIN)), session: KioskMachine.one)
        #expect(machine.keyPressed(.back).contains(.closeSession(KioskMachine.one, .declined)))
        #expect(machine.view.title == Prompt(.errandLeft))
        machine = authenticating()
        #expect(
            machine.timerFired(.session, session: KioskMachine.one)
                .contains(.closeSession(KioskMachine.one, .outcomeUnknown)))
    }
}
