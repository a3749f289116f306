// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Synchronization
import Testing
@testable import Keypads

@Suite("A terminal whose modes another program changes")
struct ModeWatchTests {
    @Test func oneChangeLosesKeysAndMoreAreATerminalThatIsGone() {
        let time = Mutex(ContinuousClock.now)
        var watch = ModeWatch { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
        #expect(watch.evaluate(.unchanged).isEmpty && watch.isCalm)
        guard case .keysLost? = watch.evaluate(.changed).last else {
            Issue.record("a change is told")
            return
        }
        #expect(watch.isCalm)
        pass(.milliseconds(20))
        #expect(watch.evaluate(.unchanged).isEmpty && watch.isCalm)
        #expect(watch.evaluate(.changed) == [.unavailable("\(KeypadError.changedModes)")] && !watch.isCalm)
        pass(.milliseconds(20))
        #expect(watch.evaluate(.changed).isEmpty && !watch.isCalm)
        pass(.milliseconds(990))
        #expect(watch.evaluate(.unchanged).isEmpty && !watch.isCalm)
        pass(.milliseconds(10))
        #expect(watch.evaluate(.unchanged) == [.available] && watch.isCalm)
    }

    @Test func aTerminalThatCannotBeSetIsGoneAtOnce() {
        let time = Mutex(ContinuousClock.now)
        var watch = ModeWatch { time.withLock { $0 } }
        #expect(watch.evaluate(.refused(.background)) == [.unavailable("\(KeypadError.background)")])
        #expect(watch.evaluate(.refused(.background)).isEmpty && !watch.isCalm)
        time.withLock { $0 += ModeWatch.calm }
        #expect(watch.evaluate(.unchanged) == [.available])
    }
}
