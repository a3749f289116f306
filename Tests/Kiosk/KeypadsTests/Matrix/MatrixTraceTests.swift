// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskPorts
import Patience
import Testing

@Suite("A matrix of keys, on traces from seeds")
struct MatrixTraceTests {
    /// Every press that is long enough is recognised once. No key is recognised that was not down, and none twice. Once
    /// all keys are up, the pad is ready for the next.
    @Test func noDigitIsWrongDoubledOrLost() throws {
        var heard = 0
        let seeds = TestEffort.rounds(1000)
        for seed in 0..<UInt64(seeds) {
            var trace = try ContactTrace(seed: seed)
            var decoder = MatrixDecoder()
            var counts = [Int](repeating: 0, count: trace.presses.count)
            var now = Duration.zero
            while now < trace.end + .milliseconds(100) {
                let (scan, ended) = trace.look(at: now)
                for case .pressed(let position) in decoder.looked(scan, at: ended) {
                    heard += 1
                    let press = trace.presses.lastIndex { $0.position == position && $0.closed.contains(ended) }
                    if let press { counts[press] += 1 } else { Issue.record("seed \(seed): a key that is not down") }
                }
                now = ended + trace.pause()
            }
            // Every fiftieth trace has a key that stays stuck.
            #expect(decoder.isQuiet || seed % 50 == 0, "seed \(seed)")
            for (press, count) in zip(trace.presses, counts) {
                if count > 1 { Issue.record("seed \(seed): a press counts \(count) times") }
                if press.mustCount, count == 0 { Issue.record("seed \(seed): a press is lost") }
            }
        }
        #expect(heard > 2 * seeds)
    }
}
