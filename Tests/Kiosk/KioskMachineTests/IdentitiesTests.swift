// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Showing and deleting an identity")
struct IdentitiesTests {
    static func opened(
        _ identities: [KioskIdentity], choice: KioskPolicy.IdentityChoice = .typed,
        offersCards: Bool = false
    ) -> KioskMachine {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain], errands: [.identities],
            policy: KioskPolicy(identityChoice: choice), offersCards: offersCards)
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: identities))), session: .one)
        return machine
    }

    static func confirming() -> KioskMachine {
        var machine = opened([Samples.alice])
        _ = machine.keyPressed(.digit(2))
        _ = machine.keyPressed(.digit(2))
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }

    @Test func theOnlyOneIsShown() {
        let machine = Self.opened([Samples.alice])
        #expect(machine.view.stage == .identityDetails)
        #expect(
            machine.view.lines == [
                Prompt(.pinUser, [.user: "a…@example.com"]), Prompt(.consentService, [.service: "Example"]),
                Prompt(.consentDomain, [.domain: Samples.domain]), Prompt(.identityNumber, [.number: "1"]),
                Prompt(.stateRegistered),
            ])
    }

    @Test(arguments: [
        (KioskIdentity.Progress.startedRegistration, PromptKey.stateStartedRegistration), (.activated, .stateActivated),
        (.registered, .stateRegistered), (.blocked, .stateBlocked), (.unusable, .stateUnusable),
    ])
    func itsStateIsTold(progress: KioskIdentity.Progress, sentence: PromptKey) {
        #expect(Self.opened([Samples.identity(progress)]).view.lines.last == Prompt(sentence))
    }

    @Test func nobodyLearnsWhoElseIsHere() {
        var machine = Self.opened([Samples.alice, Samples.bob])
        #expect(machine.view.lines == [Prompt(.choiceHelpKnown)])
        // There is no registration from here.
        _ = machine.keyPressed(.digit(0))
        _ = machine.keyPressed(.enter)
        #expect(machine.view.hint == Prompt(.choiceUnknown))
        _ = machine.keyPressed(.digit(2))
        _ = machine.keyPressed(.enter)
        #expect(machine.view.lines.first == Prompt(.pinUser, [.user: "b…@example.com"]))
        _ = machine.keyPressed(.back)
        #expect(machine.view.stage == .identityChoice)
        let listed = Self.opened([Samples.alice, Samples.bob], choice: .list)
        #expect(listed.view.lines.last == Prompt(.listEntry, [.number: "2", .user: "bob@example.com"]))
    }

    @Test func aLookChangesNothing() {
        var machine = Self.opened([Samples.alice])
        #expect(
            machine.keyPressed(.back) == [
                .stopTimer(.session), .closeSession(.one, .declined), .stopTimer(.outcome), .resumeCamera,
                Samples.wake,
            ])
        #expect(machine.view.stage == .scan)
    }

    @Test func whereNobodyIsItSaysSo() {
        let machine = Self.opened([])
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.identitiesNone))
    }

    @Test func deletingTakesTwoPressesAndThePIN() {
        var machine = Self.opened([Samples.alice])
        _ = machine.keyPressed(.digit(2))
        #expect(machine.view.hint == Prompt(.deleteWithPIN))
        let start = KioskAction.perform(.startAuthentication(Samples.alice, for: .identities), .one)
        #expect(machine.keyPressed(.digit(2)) == [Samples.wait, start])
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        #expect(machine.view.stage == .pin && machine.view.lines.first == Prompt(.deletePurpose))
        machine.typePIN()
        #expect(
            machine.keyPressed(.enter).last == .perform(.finishAuthentication(Samples.alice, for: .identities), .one))
        #expect(
            machine.stepEnded(.success(.errandDone), session: .one).last
                == .perform(.deleteIdentity(Samples.alice), .one))
        let actions = machine.stepEnded(.success(.identityDeleted), session: .one)
        #expect(actions.contains(.closeSession(.one, .identityDeleted)))
        #expect(!actions.contains { if case .deleteIdentity = $0 { true } else { false } }, "once is enough")
        #expect(machine.view.tone == .success && machine.view.title == Prompt(.identityDeleted))
    }

    @Test(arguments: [KioskIdentity.Progress.startedRegistration, .activated, .blocked, .unusable])
    func whatHasNoPINNeedsNone(progress: KioskIdentity.Progress) {
        var machine = Self.opened([Samples.identity(progress)])
        _ = machine.keyPressed(.digit(2))
        #expect(machine.view.hint == Prompt(.deleteIdentityReally))
        #expect(machine.keyPressed(.digit(2)).last == .perform(.deleteIdentity(Samples.identity(progress)), .one))
    }

    @Test func anotherKeyThanTwiceDeletesNothing() {
        for key in [Key.enter, .back, .clear, .menu, .digit(1), .digit(3)] {
            var machine = Self.opened([Samples.alice])
            _ = machine.keyPressed(.digit(2))
            let actions = machine.press(key)
            #expect(!actions.contains { if case .perform = $0 { true } else { false } }, "\(key)")
        }
    }

    @Test func aWrongPINDeletesNothing() {
        var machine = Self.confirming()
        let actions = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
        #expect(!actions.contains(.deleteIdentity(Samples.alice)))
        #expect(machine.view.stage == .wrongPIN)
    }

    @Test func aStoreThatFailsIsTold() {
        var machine = Self.confirming()
        _ = machine.stepEnded(.success(.errandDone), session: .one)
        let actions = machine.stepEnded(.failure(Samples.failure(.storageFailed)), session: .one)
        #expect(actions.contains(.closeSession(.one, .storageFailed)))
        #expect(machine.view.tone == .failure && machine.view.title == Prompt(.storageFailed))
    }
}
