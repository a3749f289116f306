// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Synchronization
import Testing
@testable import KioskRuntime

@Suite("A machine that does not know the time yet", .timeLimit(.minutes(10)))
struct ClockTests {
    final class Clock: Sendable {
        private let isSet = Mutex(false)
        func set() { isSet.withLock { $0 = true } }
        var hasTime: Bool { isSet.withLock { $0 } }
    }

    @Test func waitsForItAndThenGoesOnWithoutARestart() async throws {
        let clock = Clock()
        let rig = try KioskRig(isClockSet: { clock.hasTime })
        try await rig.run { rig in
            try await rig.screen.view { $0.title == Prompt(.waitingForTime) && $0.tone == .trouble }
            rig.scanner.show(KioskRig.code)
            for key in [Key.digit(0), .digit(1), .menu, .enter] { rig.keypad.press(key) }
            // The only possible action is to change the language.
            rig.keypad.press(.digit(2))
            try await rig.screen.view { $0.title == Prompt(.waitingForTime) && $0.languageTurn == 1 }
            #expect(rig.steps.calls.isEmpty)
            clock.set()
            while rig.screen.views.last?.title == Prompt(.waitingForTime) {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            try await rig.screen.view { $0.stage == .scan && $0.tone == .ready }
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
        }
        #expect(rig.log.text.contains("waiting for the time") && rig.log.text.contains("the clock is set"))
    }
}
