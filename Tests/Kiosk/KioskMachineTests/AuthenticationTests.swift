// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("PIN, verdict, and all ends of a login")
struct AuthenticationTests {
    static let restart = KioskAction.startTimer(.entry, KioskTiming.entry, .one)

    @Test func digitsAreCountedAndNothingElse() {
        var machine = KioskMachine.askingPIN()
        #expect(machine.typesPIN)
        // No session ends while the person types.
        let prolonged = KioskAction.startTimer(.session, KioskTiming.session, .one)
        #expect(machine.keyPressed(.pinDigit) == [.entry(.append), prolonged, Self.restart])
        #expect(machine.view.entry == .masked(count: 1, capacity: 6))
        // A digit that came as a plain key, and letters, are not part of a PIN.
        #expect(machine.keyPressed(.digit(5)) == [])
        #expect(machine.keyPressed(.character("a")) == [])
        #expect(machine.keyPressed(.enter) == [])
        machine.typePIN(digits: 5)
        #expect(machine.keyPressed(.pinDigit) == [Self.restart])
        #expect(machine.view.entry == .masked(count: 6, capacity: 6))
    }

    @Test func clearAndBack() {
        var machine = KioskMachine.askingPIN()
        machine.typePIN(digits: 3)
        #expect(machine.keyPressed(.back) == [.entry(.removeLast), Self.restart])
        #expect(machine.view.entry == .masked(count: 2, capacity: 6))
        #expect(machine.keyPressed(.clear) == [.entry(.clear), Self.restart])
        #expect(machine.view.entry == .masked(count: 0, capacity: 6))
        #expect(machine.keyPressed(.back).contains(.abort(.one)))
    }

    @Test func aPastedPINIsRefused() {
        var machine = KioskMachine.askingPIN()
        machine.typePIN(digits: 2)
        #expect(machine.keysLost() == [.entry(.clear), Self.restart])
        #expect(machine.view.entry == .masked(count: 0, capacity: 6))
        #expect(machine.view.hint == Prompt(.pinKeyByKey))
        machine.typePIN()
        #expect(machine.view.hint == nil)
        #expect(machine.keyPressed(.enter).contains(.perform(.finishAuthentication(Samples.alice), .one)))
    }

    @Test func aKeypadThatGoesTakesTheTypedDigitsAlong() {
        var machine = KioskMachine.askingPIN()
        machine.typePIN(digits: 3)
        #expect(machine.keypadChanged(isWorking: false) == [.entry(.clear), Self.restart])
        // A terminal may show what is typed now: nothing is asked for.
        #expect(machine.view.title == Prompt(.keypadMissing) && machine.view.entry == nil)
        #expect(machine.keypadChanged(isWorking: true) == [])
        #expect(machine.view.entry == .masked(count: 0, capacity: 6))
        machine.typePIN()
        #expect(machine.keyPressed(.enter).contains(.perform(.finishAuthentication(Samples.alice), .one)))
    }

    @Test func submittingWaitsForTheIdentitysPINLength() {
        var alice = Samples.alice
        alice.requiredPINLength = 6
        var machine = KioskMachine.askingPIN(BackendSession(identities: [alice]))
        machine.typePIN(digits: 5)
        #expect(machine.keyPressed(.enter) == [])
        _ = machine.keyPressed(.pinDigit)
        #expect(machine.keyPressed(.enter).contains(.perform(.finishAuthentication(alice), .one)))
    }

    @Test func success() {
        var machine = KioskMachine.authenticating()
        #expect(
            machine.stepEnded(.success(.authenticated()), session: .one) == [
                .startTimer(.usedCode(Samples.digest("code 1")), KioskTiming.codeIsRemembered, .none),
                .entry(.wipe), .stopTimer(.session), .stopTimer(.entry), .stopTimer(.wrongPIN),
                .closeSession(.one, .loggedIn), .startTimer(.outcome, KioskTiming.success, .one),
            ])
        #expect(
            machine.view
                == KioskView(
                    .outcome, .success, title: Prompt(.success), lines: [Prompt(.successAt, [.service: "Example"])],
                    actions: [ViewAction(.enter, .actionContinue)], countdown: KioskTiming.success))
    }

    /// The person knows whose attempts they were.
    @Test(
        arguments: zip(
            EarlierWrongPINs.Day.allCases,
            [PromptKey.wrongPINsToday, .wrongPINsYesterday, .wrongPINsEarlier]))
    func wrongPINsOfBeforeAreTold(_ day: EarlierWrongPINs.Day, _ key: PromptKey) {
        var machine = KioskMachine.authenticating()
        let said = EarlierWrongPINs(count: 2, day: day, time: "18:02")
        _ = machine.stepEnded(.success(.authenticated(wrongPINs: said)), session: .one)
        #expect(
            machine.view.lines == [
                Prompt(key, [.number: "2", .time: "18:02"]), Prompt(.successAt, [.service: "Example"]),
            ])
        #expect(machine.view.tone == .success)
    }

    @Test func afterAWrongPINThePauseGrows() {
        // An application names the person. Others have two attempts: PickedPeopleTests.
        var machine = KioskMachine.askingPIN(
            BackendSession(namedUser: "alice@example.com", isUserVerified: true, identities: [Samples.alice]))
        for seconds in [1, 2, 4, 8, 16, 16] {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
            let actions = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
            #expect(actions.last == .startTimer(.wrongPIN, .seconds(seconds), .one))
            #expect(machine.view.title == Prompt(.wrongPIN))
            #expect(machine.keyPressed(.pinDigit) == [])
            #expect(machine.timerFired(.wrongPIN, session: .one) == [Self.restart])
            #expect(machine.view.entry == .masked(count: 0, capacity: 6))
        }
    }

    @Test func anIdentityPickedByNumberHasOneTryAScan() {
        var machine = KioskMachine.consented(BackendSession(identities: [Samples.alice, Samples.bob]))
        _ = machine.keyPressed(.digit(2))
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        let actions = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
        #expect(actions.contains(.closeSession(.one, .wrongPIN)))
        #expect(actions.contains(.abort(.one)))
        #expect(machine.view.title == Prompt(.wrongPIN))
        #expect(machine.view.lines == [Prompt(.wrongPINScanAgain)])
    }

    static let ends: [(SessionOutcome, SessionOutcome, Prompt)] = [
        (.blocked, .blocked, Prompt(.blocked)),
        (.revoked, .revoked, Prompt(.revoked)),
        (.sessionExpired, .sessionExpired, Prompt(.sessionExpired)),
        (.browserTimedOut, .browserTimedOut, Prompt(.browserDidNotAnswer)),
        (.secretExpired, .secretExpired, Prompt(.secretExpired)),
        (.notAuthorized, .notAuthorized, Prompt(.notAuthorized)),
        (.unreachable, .unreachable, Prompt(.unreachable)),
        (.outcomeUnknown, .outcomeUnknown, Prompt(.outcomeUnknown)),
        (.storageFailed, .storageFailed, Prompt(.storageFailed)),
        (.failed, .failed, Prompt(.authenticationFailed, [.status: "STATUS"])),
    ]

    @Test(arguments: ends)
    func everyOtherEnd(reason: SessionOutcome, outcome: SessionOutcome, title: Prompt) {
        var machine = KioskMachine.authenticating()
        let actions = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
        #expect(actions.contains(.closeSession(.one, outcome)))
        #expect(actions.contains(.startTimer(.outcome, KioskTiming.outcome, .one)))
        let isWorthless = [.revoked, .secretExpired].contains(reason)
        #expect(actions.contains(.deleteIdentity(Samples.alice)) == isWorthless)
        #expect(machine.view.title == title)
        #expect(machine.view.tone == .failure)
        #expect(machine.keyPressed(.enter).contains(.resumeCamera))
    }

    @Test func walkingAwayWipesThePINAndAborts() {
        var machine = KioskMachine.askingPIN()
        machine.typePIN(digits: 3)
        let actions = machine.timerFired(.entry, session: .one)
        #expect(actions.prefix(2) == [.entry(.wipe), .abort(.one)])
        #expect(actions.contains(.closeSession(.one, .timedOut)))
    }

    @Test func aSessionThatTakesTooLongEnds() {
        var machine = KioskMachine.consenting(BackendSession())
        let actions = machine.timerFired(.session, session: .one)
        #expect(actions.contains(.abort(.one)))
        #expect(actions.contains(.closeSession(.one, .timedOut)))
    }

    @Test func noAnswerAfterThePINIsAnUnknownOutcome() {
        var machine = KioskMachine.authenticating()
        #expect(machine.keyPressed(.back) == [])
        let actions = machine.timerFired(.session, session: .one)
        #expect(actions.contains(.cancelStep(.one)))
        #expect(actions.contains(.closeSession(.one, .outcomeUnknown)))
        #expect(!actions.contains(.abort(.one)))
    }

    @Test func stoppingGivesTheSessionUp() {
        var machine = KioskMachine.askingPIN()
        machine.typePIN(digits: 2)
        #expect(machine.stop() == [.entry(.wipe), .abort(.one), .closeSession(.one, .stopped)])
        #expect(machine.keyPressed(.enter) == [])
        #expect(machine.symbolSeen(Samples.login("code 2")) == [])
        var late = KioskMachine.authenticating()
        #expect(late.stop() == [.cancelStep(.one), .entry(.wipe), .closeSession(.one, .outcomeUnknown)])
        var idle = KioskMachine.scanning()
        #expect(idle.stop() == [])
    }

    /// Answers and timers of an old session, in every state of a new one.
    @Test func whatBelongsToAnOldSessionMeansNothing() {
        let old = SessionNumber(0)
        let states: [KioskMachine] = [
            .scanning(), .connecting(), .openingBackend(), .consenting(BackendSession()), .askingPIN(),
            .authenticating(), .awaitingActivation(), .choosingPIN(), .repeatingPIN(),
        ]
        for state in states {
            var machine = state
            #expect(machine.stepEnded(.success(.serviceFound(Samples.service)), session: old) == [])
            #expect(machine.stepEnded(.success(.backendOpened(BackendSession())), session: old) == [])
            #expect(machine.stepEnded(.success(.registrationStarted(Samples.alice)), session: old) == [])
            #expect(machine.stepEnded(.success(.registrationConfirmed), session: old) == [])
            #expect(machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: old) == [])
            #expect(machine.stepEnded(.success(.authenticationStarted), session: old) == [])
            #expect(machine.stepEnded(.success(.authenticated()), session: old) == [])
            #expect(machine.stepEnded(.failure(Samples.failure(.wrongPIN)), session: old) == [])
            for timer in [KioskTimer.session, .entry, .wrongPIN, .outcome, .wait] {
                #expect(machine.timerFired(timer, session: old) == [])
            }
            #expect(machine.view == state.view)
        }
    }
}
