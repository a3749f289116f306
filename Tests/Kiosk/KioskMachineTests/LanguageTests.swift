// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing
@testable import KioskMachine

@Suite("Languages and countdowns")
struct LanguageTests {
    @Test func aKeyTurnsTheLanguageForOneSession() {
        #expect(Visit().view.languageTurn == 0)
        let turned = Visit().play("keys 2 actionLanguage; key clear 2 => nothing")
        #expect(turned.view.languageTurn == 2)
        let session = turned.play("qr login; wait connecting")
        #expect(session.view.languageTurn == 2)
        #expect(session.play("key back; wait outcome").view.languageTurn == 2)
        // The next person starts again.
        #expect(session.play("key back enter; wait scan").view.languageTurn == 0)
    }

    @Test func goingRoundSkipsNoLanguage() {
        var visit = Visit()
        for turn in 1...KioskMachine.languageTurns {
            visit = visit.play("key 2")
            #expect(visit.view.languageTurn % 5 == turn % 5)
        }
    }

    @Test func whatEndsByItselfSaysWhen() {
        #expect(Visit().view.countdown == nil)
        #expect(Visit.pin().view.countdown == KioskTiming.entry)
        let proving = Visit.proving().play("time wait")
        #expect(proving.view.countdown == nil)
        #expect(proving.play("fail wrongPIN").view.countdown == .seconds(1))
        #expect(proving.play("fail wrongPIN; key back").view.countdown == KioskTiming.outcome)
        #expect(proving.play("answer authenticated").view.countdown == KioskTiming.success)
    }
}
