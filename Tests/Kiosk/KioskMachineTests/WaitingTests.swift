// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Waits are shown after 300 ms, and the idle screen rests")
struct WaitingTests {
    @Test func aShortWaitDoesNotFlicker() {
        let typed = Visit.pin().play("key 2583")
        let waiting = typed.play("key enter -> startTimer wait 0.3s")
        #expect(waiting.view == typed.view)
        waiting.play("answer authenticated; title success")
        // A late timer means nothing.
        let refused = waiting.play("fail wrongPIN sent")
        #expect(refused.play("time wait => nothing").view == refused.view)
        #expect(waiting.play("time wait => nothing; wait authenticating").view.isBusy)
        #expect(Visit.connecting.view.isBusy)
    }

    /// Every step for which a person waits after a key.
    @Test(arguments: [
        (Visit.consent(), "enter", "preparing"),
        (RegistrationTests.typing("a@example.com"), "enter", "registering(a@example.com)"),
        (.consented("startedRegistration"), "enter", "checkingMail"),
        (.consented("startedRegistration"), "1", "sendingMailAgain"),
    ])
    func everyWaitIsShownWhenItIsLong(_ start: Visit, key: String, title: String) {
        let waiting = start.play("key \(key) -> startTimer wait")
        #expect(waiting.view == start.view)
        #expect(waiting.play("time wait; title \(title)").view.isBusy)
    }

    @Test func stepsBehindEachOtherAreOneWait() {
        let saving = Visit.newPINAgain.play("key 2583 enter -> startTimer wait")
        saving.play("time wait; title savingIdentity")
        let both = saving.play("answer registrationFinished alice -> no startTimer wait")
        #expect(both.view == saving.view)
        both.play("time wait; title preparing")
        // The view stays.
        saving.play("time wait; answer registrationFinished alice; title preparing")
    }

    @Test func theIdleScreenDimsAndMoves() {
        var visit = Visit().play("start => startTimer rest 300s")
        #expect(visit.view.restStep == nil)
        for step in 0..<3 {
            visit = visit.play("time rest => startTimer rest 60s")
            #expect(visit.view.restStep == step)
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

    @Test(arguments: ["key 0", "key 5", "key enter", "key back", "key clear", "key menu", "type x"])
    func aKeyWakesAndDoesNothingElse(key: String) {
        let bright = Visit(KioskMachine(trustsAnything: true, services: ["login.example.com"]))
        #expect(bright.play("time rest; \(key) => startTimer rest 300s").view == bright.view)
    }

    @Test(arguments: ["other", "login"]) func aCodeWakes(code: String) {
        #expect(Visit().play("time rest; qr \(code)").view.restStep == nil)
    }

    @Test func nothingDimsDuringASession() {
        for state in [Visit.connecting, .consent(""), .pin(), .proving()] {
            #expect(state.play("time rest => nothing").view == state.view)
        }
    }

    private func busy(_ visit: Visit, _ wait: Duration?, _ session: SessionNumber = .one) -> Visit {
        visit.after { $0.serviceIsBusy(for: wait, session: session) }
    }

    /// A busy service: the person is told at once, and for how long.
    @Test func aBusyServiceIsSaid() {
        let waiting = busy(.proving(), .milliseconds(6500)).play("=> nothing; wait authenticating, hint serviceBusy(7)")
        // Another session's wait does not affect this one.
        busy(waiting, nil, .none).play("hint serviceBusy(7)")
        busy(waiting, nil).play("wait authenticating, hint none; stop -> closeSession outcomeUnknown")
        waiting.play("stop -> closeSession stopped")
        let over = waiting.play("answer authenticated; title success, hint none")
        busy(over, .seconds(3)).play("hint none")
        // It still accepts keys.
        busy(.connecting, .seconds(30)).play("wait connecting, hint serviceBusy(30); key back; hint none")
        // A service that stays busy ends the session.
        waiting.play("fail unreachable serviceTooBusy; title serviceTooBusy")
    }
}
