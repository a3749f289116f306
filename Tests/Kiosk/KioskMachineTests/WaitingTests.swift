// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Waits are shown after 300 ms, and the idle screen rests")
struct WaitingTests {
    @Test func aShortWaitDoesNotFlicker() {
        var machine = KioskMachine.askingPIN()
        machine.typePIN()
        let before = machine.view
        #expect(machine.keyPressed(.enter).contains(Samples.wait))
        #expect(machine.view == before)
        _ = machine.stepEnded(.success(.authenticated()), session: .one)
        #expect(machine.view.title == Prompt(.success))
    }

    @Test func aLongWaitIsShown() {
        var machine = KioskMachine.authenticating()
        #expect(machine.timerFired(.wait, session: .one) == [])
        #expect(machine.view.stage == .authenticating && machine.view.isBusy)
    }

    /// Every step for which a person waits after a key.
    @Test func everyWaitIsOne() {
        let ways: [(String, KioskMachine, PromptKey, (inout KioskMachine) -> [KioskAction])] = [
            (
                "preparing", .consenting(BackendSession(identities: [Samples.alice])), .preparing,
                { $0.keyPressed(.enter) }
            ),
            ("registering", RegistrationTests.typing("a@example.com"), .registering, { $0.keyPressed(.enter) }),
            ("checking", .awaitingActivation(), .checkingMail, { $0.keyPressed(.enter) }),
            ("resending", .awaitingActivation(), .sendingMailAgain, { $0.keyPressed(.digit(1)) }),
            ("saving", judgingSecondPIN(), .savingIdentity, { $0.newPINsCompared(areEqual: true) }),
        ]
        for (name, start, title, press) in ways {
            var machine = start
            let before = machine.view
            #expect(press(&machine).contains(Samples.wait), "\(name)")
            #expect(machine.view == before, "\(name)")
            _ = machine.timerFired(.wait, session: .one)
            #expect(machine.view.title.key == title && machine.view.isBusy, "\(name)")
        }
    }

    private func judgingSecondPIN() -> KioskMachine {
        var machine = KioskMachine.repeatingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        return machine
    }

    @Test func stepsBehindEachOtherAreOneWait() {
        var machine = judgingSecondPIN()
        _ = machine.newPINsCompared(areEqual: true)
        let before = machine.view
        #expect(
            !machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: .one).contains(Samples.wait))
        #expect(machine.view == before)
        _ = machine.timerFired(.wait, session: .one)
        #expect(machine.view.title == Prompt(.preparing))
        // The view stays.
        machine = judgingSecondPIN()
        _ = machine.newPINsCompared(areEqual: true)
        _ = machine.timerFired(.wait, session: .one)
        _ = machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: .one)
        #expect(machine.view.title == Prompt(.preparing))
    }

    @Test func connectingIsShownAtOnce() {
        #expect(KioskMachine.connecting().view.isBusy)
    }

    @Test func aLateTimerMeansNothing() {
        var machine = KioskMachine.authenticating()
        _ = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
        let view = machine.view
        #expect(machine.timerFired(.wait, session: .one) == [])
        #expect(machine.view == view)
    }

    @Test func theIdleScreenDimsAndMoves() {
        var machine = KioskMachine.scanning()
        #expect(machine.start() == [Samples.wake])
        #expect(machine.view.restStep == nil)
        for step in 0..<3 {
            #expect(
                machine.timerFired(.rest, session: .none) == [.startTimer(.rest, KioskTiming.restMove, .none)])
            #expect(machine.view.restStep == step)
        }
    }

    /// An idle scan screen after this many minutes, and the machine's actions.
    private func unused(
        _ minutes: Int, _ machine: inout KioskMachine
    ) -> [KioskAction] {
        var actions = machine.start()
        var passed = KioskTiming.rest
        while passed <= .seconds(60 * minutes) {
            actions += machine.timerFired(.rest, session: .none)
            passed += KioskTiming.restMove
        }
        return actions
    }

    @Test func theCameraRestsOnceAfterAnHour() {
        var machine = KioskMachine(trustsAnything: true)
        #expect(!unused(59, &machine).contains(.restCamera))
        #expect(machine.view.restStep != nil && !machine.view.isAsleep)
        machine = KioskMachine(trustsAnything: true)
        #expect(unused(60, &machine).count { $0 == .restCamera } == 1)
        machine = KioskMachine(trustsAnything: true)
        #expect(unused(600, &machine).count { $0 == .restCamera } == 1)
        #expect(machine.view.isAsleep)
        #expect(machine.keyPressed(.enter) == [.wakeCamera, Samples.wake])
        #expect(!machine.view.isAsleep)
        // And once more after the next hour.
        #expect(unused(60, &machine).count { $0 == .restCamera } == 1)
    }

    @Test func theOperatorSaysWhenTheCameraRests() {
        var machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(cameraRest: .seconds(600)))
        #expect(!unused(9, &machine).contains(.restCamera))
        machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(cameraRest: .seconds(600)))
        #expect(unused(10, &machine).contains(.restCamera))
        machine = KioskMachine(trustsAnything: true, policy: KioskPolicy(cameraRest: nil))
        #expect(!unused(6000, &machine).contains(.restCamera))
        #expect(machine.keyPressed(.enter) == [Samples.wake])
    }

    @Test(arguments: [Key.digit(0), .digit(5), .enter, .back, .clear, .menu, .character("x")])
    func aKeyWakesAndDoesNothingElse(key: Key) {
        var machine = KioskMachine(trustsAnything: true, services: ["login.example.com"])
        let bright = machine.view
        _ = machine.timerFired(.rest, session: .none)
        let actions =
            switch key {
            case .digit(let digit): machine.keyPressed(.digit(digit))
            case .enter: machine.keyPressed(.enter)
            case .back: machine.keyPressed(.back)
            case .clear: machine.keyPressed(.clear)
            case .menu: machine.keyPressed(.menu)
            case .character(let character): machine.keyPressed(.character(character))
            }
        #expect(actions == [Samples.wake])
        #expect(machine.view == bright)
    }

    @Test func aCodeWakes() {
        var machine = KioskMachine.scanning()
        _ = machine.timerFired(.rest, session: .none)
        _ = machine.symbolSeen(CodeReading(digest: Samples.digest("x"), verdict: .refused(.divided)))
        #expect(machine.view.restStep == nil)
        _ = machine.timerFired(.rest, session: .none)
        _ = machine.symbolSeen(Samples.login())
        #expect(machine.view.restStep == nil && machine.view.stage == .connecting)
    }

    @Test func nothingDimsDuringASession() {
        for state: KioskMachine in [.connecting(), .consenting(BackendSession()), .askingPIN(), .authenticating()] {
            var machine = state
            #expect(machine.timerFired(.rest, session: .none) == [])
            #expect(machine.view == state.view)
        }
    }

    /// A busy service: the person is told at once, and for how long.
    @Test func aBusyServiceIsSaid() {
        var machine = KioskMachine.askingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        let notice = Prompt(.serviceBusy, [.seconds: "7"])
        #expect(machine.serviceIsBusy(for: .milliseconds(6500), session: .one) == [])
        #expect(machine.view.stage == .authenticating && machine.view.hint == notice)
        // Another session's wait does not affect this one.
        _ = machine.serviceIsBusy(for: nil, session: .none)
        #expect(machine.view.hint == notice)
        _ = machine.serviceIsBusy(for: nil, session: .one)
        #expect(machine.view.stage == .authenticating && machine.view.hint == nil)
        _ = machine.serviceIsBusy(for: .seconds(3), session: .one)
        _ = machine.stepEnded(.success(.authenticated()), session: .one)
        #expect(machine.view.title == Prompt(.success) && machine.view.hint == nil)
        _ = machine.serviceIsBusy(for: .seconds(3), session: .one)
        #expect(machine.view.hint == nil)
    }

    @Test func aLoginThatIsStoppedWhileTheServiceIsBusyIsNotUnknown() {
        var machine = KioskMachine.authenticating()
        _ = machine.serviceIsBusy(for: .seconds(30), session: .one)
        #expect(machine.stop().contains(.closeSession(.one, .stopped)))
        var later = KioskMachine.authenticating()
        _ = later.serviceIsBusy(for: .seconds(30), session: .one)
        _ = later.serviceIsBusy(for: nil, session: .one)
        #expect(later.stop().contains(.closeSession(.one, .outcomeUnknown)))
    }

    @Test func aServiceThatIsBusyWhileConnectingIsSaid() {
        var machine = KioskMachine.connecting()
        _ = machine.serviceIsBusy(for: .seconds(30), session: .one)
        #expect(machine.view.stage == .connecting)
        #expect(machine.view.hint == Prompt(.serviceBusy, [.seconds: "30"]))
        // It still accepts keys.
        _ = machine.keyPressed(.back)
        #expect(machine.view.hint == nil)
    }

    @Test func aServiceThatStaysBusyEndsTheSession() {
        var machine = KioskMachine.authenticating()
        _ = machine.stepEnded(.failure(Samples.failure(.unreachable, .serviceTooBusy)), session: .one)
        #expect(machine.view.title == Prompt(.serviceTooBusy))
    }
}
