// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Testing

/// Changing the PIN: the old one, the new one twice, and the server's answer.
@Suite struct ChangePINTests {
    /// The screen where the old PIN is typed.
    static func askingOldPIN(_ identities: [KioskIdentity] = [Samples.alice]) -> KioskMachine {
        var machine = KioskMachine(trustsAnything: true, services: [Samples.domain], errands: [.changePIN])
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: identities))), session: .one)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        return machine
    }

    /// The change is under way.
    static func changing() -> KioskMachine {
        var machine = askingOldPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        return machine
    }

    @Test func theWholeWay() {
        var machine = Self.askingOldPIN()
        #expect(machine.view.stage == .pin && machine.view.lines.first == Prompt(.errandChangePIN))
        #expect(machine.view.title == Prompt(.currentPINTitle))
        machine.typePIN()
        let kept = machine.keyPressed(.enter)
        #expect(kept.contains(.entry(.keepOld)) && !kept.contains { if case .perform = $0 { true } else { false } })
        #expect(machine.view.stage == .newPIN && machine.view.lines.contains(Prompt(.currentPINCheckedLater)))
        machine.typePIN()
        #expect(machine.keyPressed(.enter).contains(.entry(.judgeNew)))
        _ = machine.newPINJudged(.good)
        #expect(machine.view.stage == .newPINAgain && machine.view.lines.contains(Prompt(.currentPINCheckedLater)))
        machine.typePIN()
        #expect(machine.keyPressed(.enter).contains(.entry(.compareNew)))
        #expect(
            machine.newPINsCompared(areEqual: true).last
                == .perform(.finishAuthentication(Samples.alice, for: .changePIN), .one))
        _ = machine.timerFired(.wait, session: .one)
        #expect(machine.view.tone == .working && machine.view.title == Prompt(.changingPIN))
        #expect(machine.refuses(.authenticated()), "the PIN is not changed by its being right")
        let actions = machine.stepEnded(.success(.errandDone), session: .one)
        #expect(actions.contains(.closeSession(.one, .pinChanged)) && actions.contains(.entry(.wipe)))
        #expect(machine.view.tone == .success && machine.view.title == Prompt(.pinChanged))
    }

    /// A person who leaves in between keeps the old PIN, and nothing was sent.
    @Test(arguments: 0..<3)
    func leavingCostsNothing(rounds: Int) {
        var machine = Self.askingOldPIN()
        for round in 0..<rounds {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
            if round == 1 { _ = machine.newPINJudged(.good) }
        }
        var actions: [KioskAction] = []
        while machine.session != nil { actions += machine.keyPressed(.back) }
        #expect(actions.contains(.closeSession(.one, .declined)))
        for action in actions {
            switch action {
            case .perform, .forgetShares, .deleteIdentity: Issue.record("\(action)")
            default: break
            }
        }
        #expect(machine.view.title == Prompt(.errandLeft))
    }

    @Test func theOldOneAgainIsChosenAnew() {
        var machine = Self.askingOldPIN()
        for _ in 0..<2 {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
        }
        #expect(machine.newPINJudged(.unchanged).first == .entry(.wipe))
        #expect(machine.view.stage == .newPIN && machine.view.hint == Prompt(.newPINUnchanged))
    }

    @Test func aWrongOldPINIsTypedAgain() {
        var machine = Self.changing()
        _ = machine.stepEnded(.failure(Samples.failure(.wrongPIN)), session: .one)
        #expect(machine.view.stage == .wrongPIN)
        _ = machine.timerFired(.wrongPIN, session: .one)
        #expect(machine.view.stage == .pin && machine.view.hint == Prompt(.triesLast))
        // The title stays until the PIN is typed, not until the first digit.
        for digits in 0..<4 {
            #expect(machine.view.title == Prompt(.currentPINAgainTitle), "\(digits) digits")
            _ = machine.keyPressed(.pinDigit)
        }
    }

    @Test(arguments: [
        (Samples.failure(.blocked), SessionOutcome.blocked, PromptKey.blocked, false),
        (Samples.failure(.unreachable), .unreachable, .unreachable, false),
        (Samples.failure(.storageFailed, .storageFull), .storageFailed, .storageFull, false),
        (Samples.failure(.failed), .failed, .pinChangeFailed, false),
    ])
    func whatGoesWrongIsTold(
        failure: KioskFailure, outcome: SessionOutcome, title: PromptKey, isDeleted: Bool
    ) {
        var machine = Self.changing()
        let actions = machine.stepEnded(.failure(failure), session: .one)
        #expect(actions.contains(.closeSession(.one, outcome)))
        #expect(actions.contains(.deleteIdentity(Samples.alice)) == isDeleted)
        #expect(!actions.contains(.forgetShares(Samples.alice)))
        #expect(machine.view.title.key == title)
    }

    /// If the kiosk gets no answer it is unknown which of the two PINs works.
    @Test func silenceIsNotSuccess() {
        var machine = Self.changing()
        #expect(machine.timerFired(.session, session: .one).contains(.closeSession(.one, .outcomeUnknown)))
        #expect(machine.view.title == Prompt(.pinChangeUnknown))
        var stopped = Self.changing()
        #expect(stopped.stop().contains(.closeSession(.one, .outcomeUnknown)))
    }

    @Test func itIsForThoseWhoHaveAnIdentity() {
        let nobody = Self.askingOldPIN([])
        #expect(nobody.view.stage == .outcome && nobody.view.title == Prompt(.identitiesNone))
        var several = Self.askingOldPIN([Samples.alice, Samples.bob])
        #expect(several.view.stage == .identityChoice && several.view.lines.first == Prompt(.choiceHelpKnown))
        _ = several.keyPressed(.digit(2))
        #expect(several.keyPressed(.enter).last == .perform(.startAuthentication(Samples.bob, for: .changePIN), .one))
    }
}
