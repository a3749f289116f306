// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Errands that end with a code")
struct IssuedCodeTests {
    static let errands: [(Errand, UInt8)] = [(.oneTimePassword, 1), (.quickCode, 2)]

    /// The menu's entry and the service are chosen, and the kiosk asks for the person.
    static func identifying(_ entry: UInt8, _ details: BackendSession) -> KioskMachine {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain], errands: [.oneTimePassword, .quickCode])
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(entry))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(details)), session: .one)
        return machine
    }

    static func authenticating(_ entry: UInt8 = 1) -> KioskMachine {
        var machine = identifying(entry, BackendSession(identities: [Samples.alice]))
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }

    @Test(arguments: errands)
    func theWholeWay(errand: Errand, entry: UInt8) {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain], errands: [.oneTimePassword, .quickCode])
        _ = machine.keyPressed(.menu)
        #expect(machine.keyPressed(.digit(entry)).contains(.openErrand(.one, errand, service: 0)))
        #expect(machine.view.stage == .connecting)
        #expect(
            machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one) == [.perform(.openBackend, .one)]
        )
        // A person who began the errand here need not consent.
        let start = KioskAction.perform(.startAuthentication(Samples.alice, for: errand), .one)
        let details = BackendSession(identities: [Samples.alice])
        #expect(machine.stepEnded(.success(.backendOpened(details)), session: .one) == [.pauseCamera, start])
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        #expect(machine.view.stage == .pin && machine.view.lines.first == Prompt(errand.title))
        machine.typePIN()
        #expect(machine.keyPressed(.enter).last == .perform(.finishAuthentication(Samples.alice, for: errand), .one))
        #expect(machine.refuses(.authenticated()), "no browser was logged in")
        #expect(
            machine.stepEnded(.success(.codeIssued(lifetime: .seconds(45))), session: .one) == [
                .stopTimer(.session), .startTimer(.codeLife, .seconds(10), .one),
            ])
        #expect(machine.view.stage == .issuedCode && machine.view.tone == .success && machine.showsIssuedCode)
        #expect(machine.view.title == Prompt(errand.title))
        #expect(machine.view.entry == .digits(SecretBytes(copying: [])), "the machine has no digits")
        #expect(machine.timerFired(.session, session: .one) == [], "the code has a time of its own")
        #expect(
            machine.keyPressed(.enter) == [
                .stopTimer(.codeLife), .closeSession(.one, .codeIssued), .stopTimer(.outcome), .resumeCamera,
                Samples.wake,
            ])
        #expect(machine.view.stage == .scan && !machine.showsIssuedCode)
    }

    @Test(arguments: errands)
    func theCodeGoesWithItsTime(errand: Errand, entry: UInt8) {
        var machine = Self.authenticating(entry)
        _ = machine.stepEnded(.success(.codeIssued(lifetime: .milliseconds(32_500))), session: .one)
        var told: [String] = []
        while machine.showsIssuedCode, told.count < 100 {
            told.append(machine.view.lines.last?.values[.seconds] ?? "")
            let actions = machine.timerFired(.codeLife, session: .one)
            #expect(machine.showsIssuedCode || actions.contains(.closeSession(.one, .codeIssued)))
        }
        #expect(told == ["33", "23", "13", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"])
        #expect(machine.view.stage == .scan)
        #expect(machine.view.hint?.key == (errand == .quickCode ? .quickCodeExpired : .oneTimePasswordExpired))
    }

    @Test func aCodeThatLivesLongDoesNotStandSoLong() {
        var machine = Self.authenticating()
        _ = machine.stepEnded(.success(.codeIssued(lifetime: .seconds(86_400))), session: .one)
        #expect(machine.view.lines.last == Prompt(.codeTimeLeft, [.seconds: "300"]))
        machine = Self.authenticating()
        _ = machine.stepEnded(.success(.codeIssued(lifetime: .seconds(-5))), session: .one)
        #expect(machine.timerFired(.codeLife, session: .one).contains(.closeSession(.one, .codeIssued)))
    }

    @Test func aWrongPINIsAskedAgainAfterAPause() {
        var machine = Self.authenticating()
        let actions = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
        #expect(actions.contains(.startTimer(.wrongPIN, .seconds(1), .one)))
        _ = machine.timerFired(.wrongPIN, session: .one)
        #expect(machine.view.stage == .pin)
    }

    @Test func whoWasPickedHasOneTry() {
        var machine = Self.identifying(1, BackendSession(identities: [Samples.alice, Samples.bob]))
        #expect(machine.view.stage == .identityChoice)
        _ = machine.keyPressed(.digit(2))
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        #expect(machine.view.lines.contains(Prompt(.pinUser, [.user: "b…@example.com"])))
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
        #expect(machine.view.title == Prompt(.wrongPIN) && machine.view.lines == [Prompt(.nextMenu)])
    }

    /// The server's possible answers about a person, and the identity afterwards.
    @Test(arguments: [
        (SessionOutcome.blocked, SessionOutcome.blocked, PromptKey.blocked, false),
        (.revoked, .revoked, .revoked, true), (.secretExpired, .secretExpired, .secretExpired, true),
        (.notAuthorized, .notAuthorized, .notAuthorized, false), (.notOffered, .notOffered, .errandNotOffered, false),
        (.notAllowed, .notAllowed, .errandNotAllowed, false),
        (.outcomeUnknown, .outcomeUnknown, .errandOutcomeUnknown, false),
        (.browserTimedOut, .browserTimedOut, .errandExpired, false),
        (.unreachable, .unreachable, .unreachable, false), (.storageFailed, .storageFailed, .storageFailed, false),
    ])
    func everyOtherEnd(reason: SessionOutcome, outcome: SessionOutcome, title: PromptKey, isDeleted: Bool) {
        for isAtStart in [true, false] {
            var machine =
                isAtStart
                ? Self.identifying(1, BackendSession(identities: [Samples.alice])) : Self.authenticating()
            let actions = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
            #expect(actions.contains(.closeSession(.one, outcome)))
            #expect(actions.contains(.deleteIdentity(Samples.alice)) == isDeleted)
            #expect(!actions.contains(.abort(.one)), "there is no code to be given up")
            #expect(machine.view.stage == .outcome && machine.view.title.key == title)
        }
    }

    @Test func leavingAndTimeSayWhatIsTrueHere() {
        var machine = Self.identifying(1, BackendSession(identities: [Samples.alice, Samples.bob]))
        #expect(machine.keyPressed(.back).contains(.closeSession(.one, .declined)))
        #expect(machine.view.title == Prompt(.errandLeft) && machine.view.lines == [Prompt(.nextMenu)])
        machine = Self.identifying(1, BackendSession(identities: [Samples.alice, Samples.bob]))
        #expect(machine.timerFired(.session, session: .one).contains(.closeSession(.one, .timedOut)))
        #expect(machine.view.title == Prompt(.errandTimedOut))
        machine = Self.authenticating()
        _ = machine.timerFired(.session, session: .one)
        #expect(machine.view.title == Prompt(.errandOutcomeUnknown))
    }

    @Test func switchingOffTakesTheCodeAlong() {
        var machine = Self.authenticating()
        _ = machine.stepEnded(.success(.codeIssued(lifetime: .seconds(45))), session: .one)
        #expect(machine.stop() == [.closeSession(.one, .codeIssued)])
    }

    @Test func aBlockedIdentityIsToldAtOnceAndDeleted() {
        var machine = Self.identifying(1, BackendSession(identities: [Samples.identity(.blocked)]))
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.blocked))
        #expect(machine.stop() == [], "the session is closed")
    }

    @Test func aStrangerRegistersFirst() {
        let machine = Self.identifying(1, BackendSession())
        #expect(machine.view.stage == .identityEntry)
    }
}
