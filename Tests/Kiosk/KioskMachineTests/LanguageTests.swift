// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing
@testable import KioskMachine

@Suite("Languages and countdowns")
struct LanguageTests {
    @Test func aKeyTurnsTheLanguageWhileNothingElseGoesOn() {
        var machine = KioskMachine.scanning()
        #expect(machine.view.languageTurn == 0)
        #expect(machine.view.actions == [ViewAction(.digit(2), .actionLanguage)])
        #expect(machine.keyPressed(.clear) == [])
        #expect(machine.keyPressed(.digit(2)) == [])
        #expect(machine.view.languageTurn == 2)
    }

    @Test func aSessionKeepsTheLanguageAndTheNextPersonBeginsAnew() {
        var machine = KioskMachine.consenting(BackendSession(namedUser: "bob@example.com", identities: [Samples.bob]))
        #expect(machine.view.languageTurn == 0)
        _ = machine.keyPressed(.back)
        _ = machine.keyPressed(.enter)
        _ = machine.keyPressed(.clear)
        #expect(machine.view.stage == .scan && machine.view.languageTurn == 1)
        let digest = Samples.digest("code 2")
        _ = machine.symbolSeen(CodeReading(digest: digest, verdict: .login(domain: "login.example.com")))
        #expect(machine.view.stage == .connecting && machine.view.languageTurn == 1)
        _ = machine.keyPressed(.back)
        #expect(machine.view.stage == .outcome && machine.view.languageTurn == 1)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .scan && machine.view.languageTurn == 0)
    }

    @Test func goingRoundSkipsNoLanguage() {
        var machine = KioskMachine.scanning()
        for turn in 1...KioskMachine.languageTurns {
            _ = machine.keyPressed(.digit(2))
            #expect(machine.view.languageTurn % 5 == turn % 5)
        }
    }

    @Test func whatEndsByItselfSaysWhen() {
        #expect(KioskMachine.scanning().view.countdown == nil)
        var machine = KioskMachine.askingPIN()
        #expect(machine.view.countdown == KioskTiming.entry)
        for _ in 0..<4 { _ = machine.keyPressed(.pinDigit) }
        _ = machine.keyPressed(.enter)
        _ = machine.timerFired(.wait, session: .one)
        #expect(machine.view.countdown == nil)
        var refused = machine
        _ = refused.stepEnded(.failure(KioskFailure(.wrongPIN, status: "")), session: .one)
        #expect(refused.view.countdown == .seconds(1))
        _ = refused.keyPressed(.back)
        #expect(refused.view.countdown == KioskTiming.outcome)
        _ = machine.stepEnded(.success(.authenticated()), session: .one)
        #expect(machine.view.countdown == KioskTiming.success)
    }
}
