// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing
@testable import KioskMachine

/// Speech for one session, asked for by keys.
@Suite("Speech") struct SpeechTests {
    private static func scanning() -> KioskMachine {
        KioskMachine(trustsAnything: true, policy: KioskPolicy(offersSpeech: true))
    }

    private static func listening() -> KioskMachine {
        var machine = scanning()
        _ = machine.keyPressed(.digit(5))
        return machine
    }

    /// Somebody who listens is asked for a PIN.
    private static func askingPIN() -> KioskMachine {
        var machine = listening()
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        return machine
    }

    @Test func theKeyWithTheRaisedDotBeginsAndEndsIt() {
        var machine = Self.scanning()
        #expect(machine.view.speech == nil)
        #expect(machine.view.actions.last == ViewAction(.digit(5), .actionSpeech))
        #expect(machine.keyPressed(.digit(5)) == [Samples.wake])
        #expect(machine.view.speech == SpeechRequest())
        #expect(machine.view.actions.suffix(3).map(\.label.key) == [.actionQuieter, .actionSpeechOff, .actionLouder])
        #expect(machine.view.lines.last == Prompt(.speechHelp))
        #expect(machine.keyPressed(.digit(5)) == [Samples.wake])
        #expect(machine.view.speech == nil)
    }

    @Test func aKioskThatOffersNoneHasNoSuchKey() {
        var machine = KioskMachine.scanning()
        let before = machine.view
        for digit in 4...6 { #expect(machine.keyPressed(.digit(UInt8(digit))) == []) }
        #expect(machine.view == before)
    }

    /// Somebody who does not see the screen does not see that it is dark.
    @Test func aDimScreenTakesTheKeyToo() {
        var machine = Self.scanning()
        _ = machine.timerFired(.rest, session: .none)
        #expect(machine.view.restStep == 0)
        _ = machine.keyPressed(.digit(5))
        #expect(machine.view.restStep == nil && machine.view.speech != nil)
    }

    @Test func theVolumeHasBounds() {
        var machine = Self.listening()
        for volume in [4, 5, 5] {
            _ = machine.keyPressed(.digit(6))
            #expect(machine.view.speech?.volume == volume)
        }
        for volume in [4, 3, 2, 1, 1] {
            _ = machine.keyPressed(.digit(4))
            #expect(machine.view.speech?.volume == volume)
        }
    }

    @Test func aKeyWithoutAnotherEffectAsksToHearTheScreenAgain() {
        var machine = Self.listening()
        _ = machine.keyPressed(.digit(7))
        #expect(machine.view.speech?.repeats == 1)
        _ = machine.keyPressed(.digit(2))
        machine = Self.askingPIN()
        #expect(machine.view.stage == .pin)
        let repeats = machine.view.speech?.repeats ?? 0
        _ = machine.keyPressed(.menu)
        #expect(machine.view.speech?.repeats == repeats + 1)
        for _ in 0..<9 { _ = machine.keyPressed(.pinDigit) }
        #expect(machine.view.speech?.repeats == repeats + 1, "a digit never asks")
        _ = machine.keyPressed(.enter)
        #expect(machine.view.speech?.repeats == repeats + 1, "OK has an effect, which is shown a moment later")
    }

    /// The interpreter compares the two PINs, and then there is another screen.
    @Test func okThatIsAnsweredLaterRepeatsNothing() {
        var machine = KioskMachine.choosingPIN()
        machine.speech = SpeechRequest()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .newPIN && machine.view.speech?.repeats == 0)
        _ = machine.keyPressed(.menu)
        #expect(machine.view.speech?.repeats == 1)
    }

    @Test func itEndsWithTheSession() {
        var machine = Self.askingPIN()
        #expect(machine.view.speech != nil)
        _ = machine.keyPressed(.back)
        #expect(machine.view.stage == .outcome && machine.view.speech != nil)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .scan && machine.view.speech == nil)
    }

    @Test func itEndsWhenNobodyComes() {
        var machine = Self.listening()
        _ = machine.timerFired(.rest, session: .none)
        #expect(machine.view.speech == nil)
    }

    /// A person who listens needs more time. Pauses against guessing stay.
    @Test func theKioskWaitsLonger() {
        let quick = KioskMachine.scanning(), slow = Self.listening()
        for timer in [KioskTimer.session, .entry, .typing, .outcome, .notice] {
            #expect(quick.duration(of: timer, .seconds(10)) == .seconds(10))
            #expect(slow.duration(of: timer, .seconds(10)) == .seconds(30))
        }
        for timer in [KioskTimer.wrongPIN, .wait, .tap, .codeLife, .rest, .boot] {
            #expect(slow.duration(of: timer, .seconds(10)) == .seconds(10))
        }
        #expect(Self.askingPIN().view.countdown == KioskTiming.entry * 3)
    }
}
