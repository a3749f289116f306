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

    private func visit(_ doors: [DoorChoice] = Self.doors, services: [String] = []) -> Visit {
        Visit(
            KioskMachine(
                trustsAnything: true, services: services, doors: doors, tasks: [.oneTimePassword, .localLogin]))
    }

    @Test func theMenuOpensTheOnlyDoor() {
        visit([Self.doors[0]], services: [Samples.domain]).play(
            """
            key menu; offers 2 taskLocalLogin; key 2 -> openTask localLogin 0, perform readService
            wait connecting
            # A person who began the login here need not consent.
            answer serviceFound; answer backendOpened alice -> perform startAuthentication alice localLogin
            answer authenticationStarted; wait pin, title doorPINTitle(Main entrance)
            key 2583 enter -> perform finishAuthentication alice localLogin
            answer taskDone -> closeSession doorOpened; tone success, title doorOpened, lines doorOpenedAt(Example)
            """)
    }

    @Test func severalDoorsAreChosenByNumber() {
        // Without a service with a name, the menu has only doors.
        visit().play(
            """
            key menu; keys 1 taskLocalLogin + back actionBack
            key 1; wait serviceChoice, title doorChoiceTitle
            lines doorChoiceHelp + listEntry(1;Main entrance) + listEntry(2;Lab)
            key 3 enter; hint doorNumberUnknown; key 2 enter -> openTask localLogin 1
            """)
    }

    /// With more doors than fit a page there are several pages, and one entry in the menu.
    @Test func manyDoorsHavePages() {
        visit((1...8).map { DoorChoice(name: "Door \($0)", domain: "access.example.com") }).play(
            """
            key menu; keys 1 taskLocalLogin + back actionBack; key 1; line listEntry(6;Door 6), no listEntry(7;Door 7)
            key menu; lines doorChoiceHelp + listEntry(7;Door 7) + listEntry(8;Door 8)
            key 8 enter -> openTask localLogin 7
            """)
    }

    @Test func theMenuHasNoEntryWithoutADoor() {
        visit([], services: [Samples.domain]).play(
            "key menu; keys 1 taskOneTimePassword + back actionBack; key 2 -> no openTask")
    }

    @Test func aNewcomerRegistersFirst() {
        Visit.task(.localLogin, "").play(
            """
            wait identityEntry; type alice@example.com; key enter -> perform startRegistration alice@example.com
            answer registrationStarted activated; answer registrationConfirmed; key 2583 enter 2583 enter
            answer registrationFinished alice -> perform startAuthentication alice localLogin
            """)
    }

    @Test func asksForNoPINAtATiredDoor() {
        Visit.task(.localLogin).play("fail tooOften -> closeSession tooOften; title doorTooOften")
    }

    @Test func anAnswerOfAnotherSessionOrStepOpensNothing() {
        var machine = Visit.task(.localLogin).play("answer authenticationStarted; key 2583 enter").machine
        #expect(machine.stepEnded(.success(.taskDone), session: SessionNumber(9)).isEmpty && machine.session == .one)
        #expect(machine.refuses(.authenticated()) && machine.refuses(.codeIssued(lifetime: .seconds(9))))
        #expect(Visit.proving().machine.refuses(.taskDone))
    }

    @Test func whoWalksAwayLeavesTheDoorShut() {
        Visit.task(.localLogin).play(
            """
            answer authenticationStarted; key 2583 enter; fail wrongPIN
            key back -> closeSession declined; title taskLeft
            or
            answer authenticationStarted; key 2583 enter; time session -> closeSession outcomeUnknown
            """)
    }
}
