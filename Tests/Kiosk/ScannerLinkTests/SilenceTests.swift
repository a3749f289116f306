// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import Synchronization
import Testing
import LinuxSystem

@testable import ScannerLink

/// A clock that the test holds, and processor time that it grants or takes away.
@Suite final class SilenceTests: Sendable {
    private let clock = ManualClock()
    private let waited = Mutex(Duration.zero)

    private func silence() -> Silence {
        Silence(Timekeeper(clock)) { [self] in waited.withLock(\.self) }
    }

    @Test func aProcessThatSaysNothingIsCounted() {
        let silence = silence()
        for _ in 0..<6 {
            clock.advance(by: .seconds(1))
            _ = silence.look()
        }
        #expect(silence.look() == (.seconds(6), false))
        silence.end(isAnnounced: true)
        #expect(silence.look() == (.zero, true))
        silence.end()
        #expect(silence.look() == (.zero, false))
    }

    @Test func aProcessThatGetsNoProcessorIsNotSilent() {
        let silence = silence()
        for _ in 0..<20 {
            clock.advance(by: .seconds(1))
            waited.withLock { $0 += .milliseconds(900) }
            _ = silence.look()
        }
        #expect(silence.look().duration == .seconds(2))
        // Waiting for longer than the elapsed time gives no credit.
        waited.withLock { $0 += .seconds(60) }
        clock.advance(by: .seconds(1))
        #expect(silence.look().duration == .seconds(2))
        clock.advance(by: .seconds(1))
        #expect(silence.look().duration == .seconds(3))
    }

    @Test func whoLooksLateHasNotListened() {
        let silence = silence()
        clock.advance(by: .seconds(30))
        #expect(silence.look().duration == Silence.interval)
    }
}
