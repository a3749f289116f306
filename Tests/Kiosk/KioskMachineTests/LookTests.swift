// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

@testable import KioskMachine

/// Large text and high contrast for one session, asked for by a key.
@Suite("The look of the screen") struct LookTests {
    private static let large = ScreenLook(hasLargeText: true)

    private static func scanning(_ look: ScreenLook = .usual) -> KioskMachine {
        KioskMachine(trustsAnything: true, policy: KioskPolicy(look: look, offersLook: true))
    }

    @Test func aKeyShowsOneLookAfterTheOther() {
        var machine = Self.scanning()
        #expect(machine.view.actions.last == ViewAction(.digit(7), .actionLook))
        var looks = [machine.view.look]
        for _ in 0..<4 {
            #expect(machine.keyPressed(.digit(7)) == [Samples.wake])
            looks.append(machine.view.look)
        }
        #expect(looks[1] == Self.large && looks[0] == looks[4] && Set(looks).count == 4)
    }

    /// The next person begins with the operator's choice.
    @Test(arguments: [ScreenLook.usual, ScreenLook(hasHighContrast: true)])
    func itEndsWithTheSession(_ own: ScreenLook) {
        var machine = Self.scanning(own)
        #expect(machine.view.look == own)
        _ = machine.keyPressed(.digit(7))
        _ = machine.symbolSeen(Samples.login())
        #expect(machine.view.stage == .connecting && machine.view.look == own.next)
        _ = machine.keyPressed(.back)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .scan && machine.view.look == own)
        _ = machine.keyPressed(.digit(7))
        _ = machine.timerFired(.rest, session: .none)
        #expect(machine.view.look == own)
    }

    /// A person who needs large letters may not see that the screen is dark.
    @Test func aDimScreenTakesTheKeyToo() {
        var machine = Self.scanning()
        _ = machine.timerFired(.rest, session: .none)
        _ = machine.keyPressed(.digit(7))
        #expect(machine.view.restStep == nil && machine.view.look == Self.large)
    }

    @Test func aKioskWithoutADrawnScreenHasNoSuchKey() {
        var machine = KioskMachine.scanning()
        let before = machine.view
        #expect(machine.keyPressed(.digit(7)) == [])
        #expect(machine.view == before)
    }
}
