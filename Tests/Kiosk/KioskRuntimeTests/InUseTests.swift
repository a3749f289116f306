// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import Patience
import Synchronization
import Testing
@testable import KioskRuntime

@Suite("Whether a person uses the kiosk, for an update that waits", .timeLimit(.minutes(10)))
struct InUseTests {
    final class Listener: KioskObserver {
        private let heard = Mutex<[Bool]>([])
        func changed(_ condition: KioskCondition) {
            heard.withLock { heard in
                let isInUse = condition == .serving
                if heard.last ?? false != isInUse { heard.append(isInUse) }
            }
        }
        var all: [Bool] { heard.withLock(\.self) }

        /// The kiosk reports it after the screen, so that the view may come a moment earlier.
        func hears(_ expected: [Bool]) async throws {
            try await Patience.until { all == expected }
        }
    }

    @Test func fromTheCodeUntilTheIdleScreen() async throws {
        let listener = Listener()
        let rig = try KioskRig(observers: [listener])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            #expect(listener.all.isEmpty)
            try await rig.walkToPIN()
            try await listener.hears([true])
            try await rig.play("key 2583 enter; wait outcome, title success")
            // The person still reads the outcome.
            #expect(listener.all == [true])
            rig.keypad.press(.enter)
            try await rig.screen.view { $0.stage == .scan }
            try await listener.hears([true, false])
        }
        #expect(listener.all == [true, false])
    }

    @Test("An open menu counts as use, and a stopped kiosk does not")
    func menuAndStop() async throws {
        let listener = Listener()
        let rig = try KioskRig(observers: [listener])
        try await rig.run { rig in
            try await rig.play("key menu; wait menu")
            try await listener.hears([true])
        }
        #expect(listener.all == [true, false])
    }
}
