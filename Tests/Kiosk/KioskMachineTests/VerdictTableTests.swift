// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// The server's final verdicts on an identity, at each step of each flow that logs it in, with the screen's sentence
/// and the identity afterwards.
@Suite("A user who is blocked, revoked or expired, at each step of each flow")
struct VerdictTableTests {
    static let flows: [Errand] = [.login, .oneTimePassword, .quickCode, .identities]
    static let verdicts: [(reason: SessionOutcome, outcome: SessionOutcome, title: PromptKey, isDeleted: Bool)] = [
        (.blocked, .blocked, .blocked, false), (.revoked, .revoked, .revoked, true),
        (.secretExpired, .secretExpired, .secretExpired, true),
        (.notAuthorized, .notAuthorized, .notAuthorized, false),
    ]

    /// The first step of the login is under way.
    static func starting(_ errand: Errand, picked: Bool) -> KioskMachine {
        let details = BackendSession(identities: picked ? [Samples.alice, Samples.bob] : [Samples.alice])
        var machine: KioskMachine
        if errand == .login {
            machine = KioskMachine.consented(details)
        } else {
            machine = KioskMachine(trustsAnything: true, services: [Samples.domain], errands: [errand])
            _ = machine.keyPressed(.menu)
            _ = machine.keyPressed(.digit(1))
            _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
            _ = machine.stepEnded(.success(.backendOpened(details)), session: .one)
        }
        if picked {
            _ = machine.keyPressed(.digit(1))
            _ = machine.keyPressed(.enter)
        }
        if errand == .identities {
            _ = machine.keyPressed(.digit(2))
            _ = machine.keyPressed(.digit(2))
        }
        return machine
    }

    static func finishing(_ errand: Errand, picked: Bool) -> KioskMachine {
        var machine = starting(errand, picked: picked)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }

    @Test(arguments: flows, [false, true])
    func theVerdictIsSaidAndKept(errand: Errand, picked: Bool) {
        for verdict in Self.verdicts {
            for start in [Self.starting(errand, picked: picked), Self.finishing(errand, picked: picked)] {
                var machine = start
                let failure = Samples.failure(verdict.reason, passTwoWasSent: true)
                let actions = machine.stepEnded(.failure(failure), session: .one)
                #expect(actions.contains(.closeSession(.one, verdict.outcome)), "\(errand) \(verdict.reason)")
                let deleted = actions.filter { if case .deleteIdentity = $0 { true } else { false } }
                #expect(deleted == (verdict.isDeleted ? [.deleteIdentity(Samples.alice)] : []))
                #expect(machine.view.stage == .outcome && machine.view.tone == .failure)
                #expect(machine.view.title.key == verdict.title)
                #expect(machine.session == nil)
            }
        }
    }

    /// The verdict is known already: the identity is blocked in the store.
    @Test(arguments: [Errand.login, .oneTimePassword, .quickCode])
    func aBlockedIdentityIsToldBeforeAnyPIN(errand: Errand) {
        let details = BackendSession(identities: [Samples.identity(.blocked)])
        var machine: KioskMachine
        if errand == .login {
            machine = KioskMachine.consented(details)
        } else {
            machine = KioskMachine(trustsAnything: true, services: [Samples.domain], errands: [errand])
            _ = machine.keyPressed(.menu)
            _ = machine.keyPressed(.digit(1))
            _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
            let actions = machine.stepEnded(.success(.backendOpened(details)), session: .one)
            #expect(actions.contains(.deleteIdentity(Samples.identity(.blocked))))
        }
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.blocked))
    }

    /// A refusal that any program on the way may have forged.
    @Test(arguments: flows) func aRefusalThatIsNotFinalKeepsTheIdentity(errand: Errand) {
        for start in [Self.starting(errand, picked: false), Self.finishing(errand, picked: false)] {
            var machine = start
            let failure = KioskFailure(.revoked, status: "REVOKED", passTwoWasSent: true, isFinal: false)
            let actions = machine.stepEnded(.failure(failure), session: .one)
            #expect(actions.contains(.closeSession(.one, .revoked)))
            #expect(!actions.contains { if case .deleteIdentity = $0 { true } else { false } })
            #expect(machine.view.title == Prompt(.authenticationFailed, [.status: "REVOKED"]))
        }
    }
}
