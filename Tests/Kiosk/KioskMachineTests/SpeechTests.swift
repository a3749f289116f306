// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing
@testable import KioskMachine

/// Speech for one session, asked for by keys.
@Suite("Speech") struct SpeechTests {
    private static let scanning = Visit(
        KioskMachine(trustsAnything: true, policy: KioskPolicy(offersSpeech: true)))
    private static let listening = scanning.play("key 5")
    /// Somebody who listens is asked for a PIN.
    private static let askingPIN = listening.play(
        "qr login; connect alice; key enter; answer authenticationStarted; wait pin")

    @Test func theKeyWithTheRaisedDotBeginsAndEndsIt() {
        #expect(Self.scanning.view.speech == nil)
        let listening = Self.scanning.play("offers 5 actionSpeech; key 5 => startTimer rest; line speechHelp")
        #expect(listening.view.speech == SpeechRequest())
        #expect(
            listening.view.actions.suffix(3).map(\.label.key) == [.actionQuieter, .actionSpeechOff, .actionLouder])
        #expect(listening.play("key 5 => startTimer rest").view.speech == nil)
        // A kiosk that offers none has no such key.
        #expect(Visit().play("key 456 => nothing").view == Visit().view)
        // Somebody who does not see the screen does not see that it is dark.
        let woken = Self.scanning.play("time rest; key 5").view
        #expect(woken.restStep == nil && woken.speech != nil)
    }

    @Test func theVolumeHasBounds() {
        var visit = Self.listening
        for (key, volumes) in [(6, [4, 5, 5]), (4, [4, 3, 2, 1, 1])] {
            for volume in volumes {
                visit = visit.play("key \(key)")
                #expect(visit.view.speech?.volume == volume)
            }
        }
    }

    @Test func aKeyWithoutAnotherEffectAsksToHearTheScreenAgain() {
        #expect(Self.listening.play("key 7").view.speech?.repeats == 1)
        var visit = Self.askingPIN
        let repeats = visit.view.speech?.repeats ?? 0
        // A digit never asks. OK has an effect, which is shown a moment later.
        for keys in ["menu", "258369714", "enter"] {
            visit = visit.play("key \(keys)")
            #expect(visit.view.speech?.repeats == repeats + 1)
        }
    }

    /// The interpreter compares the two PINs, and then there is another screen.
    @Test func okThatIsAnsweredLaterRepeatsNothing() {
        var machine = Visit.newPIN().machine
        machine.speech = SpeechRequest()
        for _ in 0..<4 { _ = machine.keyPressed(.pinDigit) }
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .newPIN && machine.view.speech?.repeats == 0)
        _ = machine.keyPressed(.menu)
        #expect(machine.view.speech?.repeats == 1)
    }

    @Test func itEndsWithTheSessionOrWhenNobodyComes() {
        #expect(Self.askingPIN.play("key back; wait outcome").view.speech != nil)
        #expect(Self.askingPIN.play("key back enter; wait scan").view.speech == nil)
        #expect(Self.listening.play("time rest").view.speech == nil)
    }

    /// A person who listens needs more time. Pauses against guessing stay.
    @Test func theKioskWaitsLonger() {
        let quick = KioskMachine(trustsAnything: true), slow = Self.listening.machine
        for timer in [KioskTimer.session, .entry, .typing, .outcome, .notice] {
            #expect(quick.duration(of: timer, .seconds(10)) == .seconds(10))
            #expect(slow.duration(of: timer, .seconds(10)) == .seconds(30))
        }
        for timer in [KioskTimer.wrongPIN, .wait, .tap, .codeLife, .rest, .boot] {
            #expect(slow.duration(of: timer, .seconds(10)) == .seconds(10))
        }
        #expect(Self.askingPIN.view.countdown == KioskTiming.entry * 3)
    }
}
