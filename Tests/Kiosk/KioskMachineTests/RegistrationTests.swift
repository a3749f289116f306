// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Registration within a login: address, mail, confirmation, new PIN twice")
struct RegistrationTests {
    static let started = Samples.identity(.startedRegistration)

    static func typing(_ text: String, known: [KioskIdentity] = []) -> KioskMachine {
        var machine = KioskMachine.consenting(BackendSession(namedUser: "x", identities: known))
        _ = machine.keyPressed(.enter)
        _ = machine.keyPressed(.clear)
        for character in text { _ = machine.keyPressed(.character(character)) }
        return machine
    }

    @Test func anAddressIsTrimmedAndLowerCased() {
        var machine = Self.typing(" Alice@Example.COM ")
        #expect(
            machine.keyPressed(.enter) == [
                Samples.wait, .stopTimer(.view(Samples.digest("code 1"))), .pauseCamera,
                .startTimer(.session, KioskTiming.session, .one),
                .perform(.startRegistration(userID: "alice@example.com"), .one),
            ])
    }

    @Test(arguments: ["", "alice", "alice@", "a b@example.com", "alice@example"])
    func aWrongAddressIsTold(text: String) {
        var machine = Self.typing(text)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.hint == Prompt(.emailInvalid))
        #expect(machine.view.entry == .text(text))
    }

    @Test func aKnownAddressIsTold() {
        var machine = Self.typing("ALICE@example.com", known: [Samples.alice])
        _ = machine.keyPressed(.enter)
        #expect(machine.view.hint == Prompt(.identityExists))
    }

    @Test func typingIsEdited() {
        var machine = Self.typing("ab")
        _ = machine.keyPressed(.digit(3))
        #expect(machine.view.entry == .text("ab3"))
        #expect(machine.keyPressed(.back) == [.startTimer(.session, KioskTiming.typing, .one)])
        #expect(machine.view.entry == .text("ab"))
        _ = machine.keyPressed(.character("ü"))
        _ = machine.keyPressed(.character("\n"))
        #expect(machine.view.entry == .text("ab"))
        _ = machine.keyPressed(.clear)
        #expect(machine.view.entry == .text(""))
        #expect(machine.keyPressed(.back).contains(.closeSession(.one, .declined)))
    }

    @Test func theMailIsAwaited() {
        var machine = Self.typing("alice@example.com")
        _ = machine.keyPressed(.enter)
        #expect(
            machine.stepEnded(.success(.registrationStarted(Self.started)), session: .one) == [
                .startTimer(.session, KioskTiming.activation, .one)
            ])
        #expect(machine.view.stage == .emailConfirmation)
        #expect(machine.view.hint == Prompt(.identityCreated, [.user: "alice@example.com"]))
    }

    @Test func anActivatedRegistrationIsConfirmedAtOnce() {
        let activated = Samples.identity(.activated)
        var machine = Self.typing("alice@example.com")
        _ = machine.keyPressed(.enter)
        #expect(
            machine.stepEnded(.success(.registrationStarted(activated)), session: .one).contains(
                .perform(.confirmRegistration(activated), .one)))
    }

    @Test(arguments: [
        (SessionOutcome.notAuthorized, Prompt(.notAuthorized)),
        (.unreachable, Prompt(.unreachable)),
        (.failed, Prompt(.registrationFailed, [.status: "STATUS"])),
        (.storageFailed, Prompt(.storageFailed)),
    ])
    func aRefusedRegistrationIsTypedAgain(reason: SessionOutcome, hint: Prompt) {
        var machine = Self.typing("alice@example.com")
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
        #expect(machine.view.stage == .identityEntry)
        #expect(machine.view.hint == hint)
        #expect(machine.view.entry == .text(""))
    }

    @Test(arguments: [
        (SessionOutcome.notVerified, Prompt(.notVerifiedYet)),
        (.registrationExpired, Prompt(.registrationExpired)),
        (.unreachable, Prompt(.unreachable)),
    ])
    func aFailedConfirmationStays(reason: SessionOutcome, hint: Prompt) {
        var machine = KioskMachine.awaitingActivation()
        #expect(machine.keyPressed(.enter).contains(.perform(.confirmRegistration(Self.started), .one)))
        _ = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
        #expect(machine.view.stage == .emailConfirmation)
        #expect(machine.view.hint == hint)
    }

    @Test func resendRestarts() {
        var machine = KioskMachine.awaitingActivation()
        #expect(machine.keyPressed(.digit(1)).contains(.perform(.restartRegistration(Self.started), .one)))
        _ = machine.stepEnded(.success(.registrationStarted(Self.started)), session: .one)
        #expect(machine.view.hint == Prompt(.mailSentAgain))
    }

    @Test func deleteAsksOnceAndDeletesOnlyThisOne() {
        var machine = KioskMachine.consented(
            BackendSession(namedUser: Self.started.userID, identities: [Self.started, Samples.bob]))
        _ = machine.keyPressed(.digit(2))
        #expect(machine.view.hint == Prompt(.deleteReally))
        #expect(
            machine.keyPressed(.digit(2)) == [
                .deleteIdentity(Self.started), .startTimer(.session, KioskTiming.typing, .one), .resumeCamera,
                .startTimer(.view(Samples.digest("code 1")), KioskTiming.codeLeavesView, .none),
            ])
        for character in Self.started.userID { _ = machine.keyPressed(.character(character)) }
        #expect(machine.keyPressed(.enter).contains(.perform(.startRegistration(userID: Self.started.userID), .one)))
    }

    @Test func aNewPINIsTypedTwiceAndStored() {
        var machine = KioskMachine.awaitingActivation()
        _ = machine.keyPressed(.enter)
        #expect(
            machine.stepEnded(.success(.registrationConfirmed), session: .one) == [
                .startTimer(.session, KioskTiming.activation, .one), .startTimer(.entry, KioskTiming.entry, .one),
            ])
        #expect(machine.view.stage == .newPIN)
        machine.typePIN(digits: 5)
        #expect(machine.view.entry == .masked(count: 5, capacity: 6))
        #expect(machine.keyPressed(.enter) == [.stopTimer(.entry), .entry(.judgeNew)])
        _ = machine.newPINJudged(.good)
        #expect(machine.view.stage == .newPINAgain)
        machine.typePIN(digits: 5)
        #expect(machine.keyPressed(.enter) == [.stopTimer(.entry), .entry(.compareNew)])
        #expect(
            machine.newPINsCompared(areEqual: true).last == .perform(.finishRegistration(Self.started), .one))
        let actions = machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: .one)
        #expect(actions.last == .perform(.startAuthentication(Samples.alice), .one))
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        #expect(machine.view.stage == .pin)
        #expect(machine.view.hint == Prompt(.registered, [.number: "1"]))
    }

    @Test func unequalPINsStartOver() {
        var machine = KioskMachine.repeatingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        #expect(machine.newPINsCompared(areEqual: false).first == .entry(.wipe))
        #expect(machine.view.stage == .newPIN)
        #expect(machine.view.hint == Prompt(.newPINMismatch))
    }

    @Test func zerosAreRefused() {
        var machine = KioskMachine.choosingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        #expect(machine.newPINJudged(.allZeros).first == .entry(.wipe))
        #expect(machine.view.hint == Prompt(.newPINAllZeros))
    }

    @Test func aWeakPINIsWarnedAboutAndMayBeKept() {
        var machine = KioskMachine.choosingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        #expect(!machine.newPINJudged(.easyToGuess).contains(.entry(.wipe)))
        #expect(machine.view.stage == .newPINAgain)
        #expect(machine.view.hint == Prompt(.newPINWeak))
        // BACK chooses another person.
        var other = machine
        #expect(other.keyPressed(.back).first == .entry(.wipe))
        #expect(other.view.stage == .newPIN)
        machine.typePIN()
        #expect(machine.keyPressed(.enter).contains(.entry(.compareNew)))
    }

    @Test func aWeakPINIsRefusedWhereThePolicySaysSo() {
        var machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(weakPINs: .refuse))
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(
            .success(.backendOpened(BackendSession(identities: [Samples.identity(.activated)]))), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        #expect(machine.newPINJudged(.easyToGuess).first == .entry(.wipe))
        #expect(machine.view.stage == .newPIN)
        #expect(machine.view.hint == Prompt(.newPINTooWeak))
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        #expect(machine.view.hint == nil)
    }

    @Test func backInTheSecondRoundGoesToTheFirst() {
        var machine = KioskMachine.repeatingPIN()
        _ = machine.keyPressed(.pinDigit)
        #expect(machine.keyPressed(.back).first == .entry(.removeLast))
        #expect(machine.keyPressed(.back).first == .entry(.wipe))
        #expect(machine.view.stage == .newPIN)
    }

    @Test func clearInTheSecondRoundKeepsTheFirst() {
        var machine = KioskMachine.repeatingPIN()
        _ = machine.keyPressed(.pinDigit)
        #expect(machine.keyPressed(.clear).first == .entry(.clear))
        #expect(machine.view.stage == .newPINAgain)
    }

    @Test func whoeverLeavesAtTheNewPINNeedsANewMail() {
        var machine = KioskMachine.choosingPIN()
        _ = machine.keyPressed(.pinDigit)
        _ = machine.keyPressed(.back)
        let actions = machine.keyPressed(.back)
        #expect(actions.prefix(3) == [.entry(.wipe), .forgetShares(Self.started), .abort(.one)])
        #expect(machine.view.title == Prompt(.newMailNeeded))
        // The next visit restarts the registration and says why.
        _ = machine.keyPressed(.enter)
        _ = machine.symbolSeen(Samples.login("code 2"))
        let two = SessionNumber(2)
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: two)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Self.started]))), session: two)
        #expect(machine.keyPressed(.enter).last == .perform(.restartRegistration(Self.started), two))
        _ = machine.stepEnded(.success(.registrationStarted(Self.started)), session: two)
        #expect(machine.view.hint == Prompt(.newMailWasNeeded))
        // After that the registration continues as usual.
        #expect(machine.keyPressed(.enter).last == .perform(.confirmRegistration(Self.started), two))
    }

    @Test func walkingAwayAtTheNewPINIsTheSame() {
        var machine = KioskMachine.choosingPIN()
        let actions = machine.timerFired(.entry, session: .one)
        #expect(actions.prefix(3) == [.entry(.wipe), .forgetShares(Self.started), .abort(.one)])
        #expect(machine.view.title == Prompt(.timedOut))
        #expect(machine.view.lines == [Prompt(.newMailNeeded)])
    }

    @Test func aTokenThatCannotBeStoredIsDeletedAndTold() {
        var machine = KioskMachine.repeatingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        let actions = machine.stepEnded(.failure(Samples.failure(.storageFailed)), session: .one)
        #expect(actions.contains(.deleteIdentity(Self.started)))
        #expect(machine.view.title == Prompt(.registrationFailedDeleted, [.status: "STATUS"]))
    }

    @Test func aLongerPINMayBeDemanded() {
        var machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(minimumPINLength: 6))
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(
            .success(.backendOpened(BackendSession(identities: [Samples.identity(.activated)]))), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        machine.typePIN(digits: 5)
        #expect(machine.keyPressed(.enter) == [])
        _ = machine.keyPressed(.pinDigit)
        #expect(machine.keyPressed(.enter).contains(.entry(.judgeNew)))
    }
}
