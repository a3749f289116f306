// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

@testable import KioskMachine

/// Large text and high contrast for one session, asked for by a key.
@Suite("The look of the screen") struct LookTests {
    private static let large = ScreenLook(hasLargeText: true)

    private static func scanning(_ look: ScreenLook = .usual) -> Visit {
        Visit(KioskMachine(trustsAnything: true, policy: KioskPolicy(look: look, offersLook: true)))
    }

    @Test func aKeyShowsOneLookAfterTheOther() {
        var visit = Self.scanning().play("offers 7 actionLook")
        var looks = [visit.view.look]
        for _ in 0..<4 {
            visit = visit.play("key 7 => startTimer rest")
            looks.append(visit.view.look)
        }
        #expect(looks[1] == Self.large && looks[0] == looks[4] && Set(looks).count == 4)
        // A kiosk without a drawn screen has no such key.
        #expect(Visit().play("key 7 => nothing").view == Visit().view)
    }

    /// The next person begins with the operator's choice.
    @Test(arguments: [ScreenLook.usual, ScreenLook(hasHighContrast: true)])
    func itEndsWithTheSession(_ own: ScreenLook) {
        let visit = Self.scanning(own)
        #expect(visit.view.look == own)
        let session = visit.play("key 7; qr login; wait connecting")
        #expect(session.view.look == own.next)
        #expect(session.play("key back enter; wait scan").view.look == own)
        #expect(visit.play("key 7; time rest").view.look == own)
    }

    /// A person who needs large letters may not see that the screen is dark.
    @Test func aDimScreenTakesTheKeyToo() {
        let view = Self.scanning().play("time rest; key 7").view
        #expect(view.restStep == nil && view.look == Self.large)
    }
}
