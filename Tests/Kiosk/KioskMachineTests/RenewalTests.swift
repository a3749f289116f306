// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// The ways back for a person who is blocked or has no attempts left.
@Suite("Blocked people, and people without attempts, return by mail or through the server")
struct RenewalTests {
    static var blocked: KioskIdentity {
        var identity = Samples.identity(.blocked)
        identity.isHeld = true
        return identity
    }

    static var tried: KioskIdentity {
        var identity = Samples.alice
        identity.tries = 2
        return identity
    }

    @Test func aBlockedIdentityIsNotDeleted() {
        var machine = KioskMachine.authenticating()
        let actions = machine.stepEnded(.failure(Samples.failure(.blocked, passTwoWasSent: true)), session: .one)
        #expect(!actions.contains(.deleteIdentity(Samples.alice)))
        #expect(machine.view.lines == [Prompt(.nextUnblock)])
        // Nobody can do it from the menu either.
        for identity in [Self.blocked, Samples.identity(.blocked)] {
            var looking = IdentitiesTests.opened([identity])
            let deletes = looking.view.actions.contains { $0.label.key == .actionDelete }
            #expect(deletes == !identity.isHeld)
            _ = looking.keyPressed(.digit(2))
            _ = looking.keyPressed(.digit(2))
            #expect((looking.view.stage == .registering || looking.refuses(.verified)) == !identity.isHeld)
        }
    }

    /// Only a PIN attempt shows whether the service has unblocked the person.
    @Test func thePINMayBeTried() {
        var machine = KioskMachine.consented(BackendSession(identities: [Self.blocked]))
        #expect(machine.view.title == Prompt(.blockedTitle))
        #expect(machine.view.actions.map(\.key) == [.enter, .digit(1), .back])
        var tried = Self.blocked
        tried.progress = .registered
        #expect(machine.keyPressed(.enter).contains(.perform(.startAuthentication(tried), .one)))
    }

    /// After the server has unblocked the person, the PIN can be changed without a registration.
    @Test func anotherPINIsChosen() {
        var machine = KioskMachine(trustsAnything: true, services: [Samples.domain], errands: [.changePIN])
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Self.blocked]))), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        for _ in 0..<3 {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
            _ = machine.newPINJudged(.good)
        }
        let actions = machine.newPINsCompared(areEqual: true)
        let isChanging = actions.contains {
            if case .perform(.finishAuthentication(_, for: .changePIN), _) = $0 { true } else { false }
        }
        #expect(isChanging)
        #expect(
            !machine.stepEnded(.failure(Samples.failure(.failed)), session: .one).contains(
                .deleteIdentity(Self.blocked))
        )
    }

    /// A stranger may not use this for guessing.
    @Test func aStrangersTriesAreBoundedHereToo() {
        var identity = Self.blocked
        identity.tries = 2
        var machine = KioskMachine.consented(BackendSession(identities: [identity]))
        #expect(machine.view.actions.map(\.key) == [.digit(1), .back])
        #expect(machine.keyPressed(.enter) == [])
        // A person whom an application names may.
        var named = KioskMachine.consented(
            BackendSession(namedUser: "alice@example.com", isUserVerified: true, identities: [identity]))
        identity.progress = .registered
        #expect(named.keyPressed(.enter).contains(.perform(.startAuthentication(identity), .one)))
    }

    @Test(arguments: [true, false]) func aMailRenews(isBlocked: Bool) {
        let identity = isBlocked ? Self.blocked : Self.tried
        var machine = KioskMachine.consented(BackendSession(identities: [identity]))
        #expect(machine.keyPressed(.digit(1)).contains(.perform(.renewRegistration(identity), .one)))
        let started = Samples.identity(.startedRegistration)
        _ = machine.stepEnded(.success(.registrationStarted(started)), session: .one)
        #expect(machine.view.stage == .emailConfirmation)
        // A stranger could still guess the address, and there is nothing to delete.
        #expect(machine.view.lines == [Prompt(.confirmationHelp, [.user: "a…@example.com"])])
        #expect(machine.view.actions.map(\.key) == [.enter, .digit(1), .back])
        _ = machine.keyPressed(.digit(2))
        #expect(!machine.keyPressed(.digit(2)).contains(.deleteIdentity(started)))
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        for _ in 0..<2 {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
            _ = machine.newPINJudged(.good)
            _ = machine.newPINsCompared(areEqual: true)
        }
        let finished = machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: .one)
        #expect(finished.contains(.perform(.startAuthentication(Samples.alice), .one)))
        #expect(!finished.contains(.forgetShares(identity)))
    }

    /// Leaving in between changes nothing.
    @Test(arguments: [true, false]) func leavingForgetsTheRenewalAlone(isBlocked: Bool) {
        let identity = isBlocked ? Self.blocked : Self.tried
        var machine = KioskMachine.consented(BackendSession(identities: [identity]))
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.registrationStarted(Samples.identity(.startedRegistration))), session: .one)
        let actions = machine.keyPressed(.back)
        #expect(actions.contains(.forgetShares(identity)))
        #expect(!actions.contains { if case .deleteIdentity = $0 { true } else { false } })
    }

    /// Today's platform sends a code, and the person continues the login.
    @Test func aCodeOfTheMailRenews() {
        var machine = KioskMachine.consented(BackendSession(verifiesAddresses: true, identities: [Self.tried]))
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.verificationStarted(.code)), session: .one)
        #expect(machine.view.stage == .activationEntry)
        #expect(machine.view.lines.first == Prompt(.consentUser, [.user: "a…@example.com"]))
        _ = machine.keyPressed(.codeKey)
        #expect(machine.keyPressed(.enter).contains(.perform(.finishVerification(userID: "alice@example.com"), .one)))
        _ = machine.stepEnded(.success(.verified), session: .one)
        _ = machine.stepEnded(.success(.registrationStarted(Samples.identity(.activated))), session: .one)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        for _ in 0..<2 {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
            _ = machine.newPINJudged(.good)
            _ = machine.newPINsCompared(areEqual: true)
        }
        let finished = machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: .one)
        #expect(finished.contains(.perform(.startAuthentication(Samples.alice), .one)))
    }

    /// The MFA platform sends the mail only for a page, and the kiosk says so.
    @Test func aServiceThatRegistersForPagesOnlyIsTold() {
        var machine = KioskMachine.consented(BackendSession(identities: [Self.tried]))
        _ = machine.keyPressed(.digit(1))
        let actions = machine.stepEnded(
            .failure(Samples.failure(.notOffered)), session: .one)
        #expect(actions.contains(.closeSession(.one, .notOffered)))
        #expect(machine.view.title == Prompt(.renewalNeedsPage))
        #expect(!actions.contains { if case .deleteIdentity = $0 { true } else { false } })
    }

    /// Another person with a blocked person's address but not their mail deletes nothing.
    @Test func aTypedAddressOfABlockedPersonDeletesNothing() {
        var machine = ActivationTests.opened(.enrolment, [Self.blocked])
        for character in "alice@example.com" { _ = machine.keyPressed(.character(character)) }
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .activationEntry)
        _ = machine.keyPressed(.codeKey)
        _ = machine.keyPressed(.enter)
        let started = Samples.identity(.activated)
        _ = machine.stepEnded(.success(.registrationStarted(started)), session: .one)
        let actions = machine.stepEnded(.failure(Samples.failure(.registrationExpired)), session: .one)
        #expect(machine.view.stage == .outcome)
        #expect(!actions.contains { if case .deleteIdentity = $0 { true } else { false } })
        #expect(actions.contains(.forgetShares(started)) || actions.contains(.forgetShares(Self.blocked)))
    }
}
