// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskPorts
import Testing

@Suite("A matrix of keys")
struct MatrixDecoderTests {
    /// Scans a pad of 4 x 4 every 5 ms.
    private struct Watcher {
        var decoder = MatrixDecoder()
        var now = Duration.zero

        mutating func look(_ contacts: [MatrixPosition], for duration: Duration) -> [MatrixEvent] {
            var events: [MatrixEvent] = []
            let end = now + duration
            while now < end {
                now += MatrixTiming.scanPeriod
                var rows = [UInt64](repeating: 0, count: 4)
                for contact in contacts { rows[contact.row] |= 1 << contact.column }
                events += decoder.looked(MatrixScan(rows: rows), at: now)
            }
            return events
        }
    }

    private let one = MatrixPosition(row: 0, column: 0)
    private let two = MatrixPosition(row: 0, column: 1)
    private let four = MatrixPosition(row: 1, column: 0)
    private let five = MatrixPosition(row: 1, column: 1)

    @Test func aPressAndARelease() {
        var pad = Watcher()
        #expect(pad.look([one], for: .milliseconds(80)) == [.pressed(one)])
        #expect(!pad.decoder.isQuiet)
        #expect(pad.look([], for: .milliseconds(80)) == [.released(one)])
        #expect(pad.decoder.isQuiet)
    }

    @Test func aTouchThatIsTooShortIsNone() {
        var pad = Watcher()
        #expect(pad.look([one], for: .milliseconds(10)) == [])
        #expect(pad.look([], for: .milliseconds(80)) == [])
        #expect(pad.decoder.isQuiet)
    }

    @Test func bounceAtTheReleaseIsNoSecondPress() {
        var pad = Watcher()
        _ = pad.look([one], for: .milliseconds(80))
        for _ in 0..<4 {
            #expect(pad.look([], for: .milliseconds(15)) == [])
            #expect(pad.look([one], for: .milliseconds(15)) == [])
        }
        #expect(pad.look([], for: .milliseconds(40)) == [.released(one)])
    }

    @Test func theNextKeyMayComeBeforeTheLastIsReleased() {
        var pad = Watcher()
        #expect(pad.look([one], for: .milliseconds(60)) == [.pressed(one)])
        #expect(pad.look([one, five], for: .milliseconds(60)) == [])
        #expect(pad.look([five], for: .milliseconds(60)) == [.pressed(five), .released(one)])
        #expect(pad.look([], for: .milliseconds(60)) == [.released(five)])
    }

    @Test func threeCornersOfARectangleAreRefusedUntilAllKeysAreUp() {
        var pad = Watcher()
        #expect(pad.look([one, two, four, five], for: .milliseconds(60)) == [.refused])
        #expect(pad.look([four], for: .milliseconds(100)) == [])
        #expect(pad.look([], for: .milliseconds(40)) == [])
        #expect(pad.look([four], for: .milliseconds(40)) == [.pressed(four)])
    }

    @Test func twoKeysAtOnceAreRefused() {
        var pad = Watcher()
        #expect(pad.look([one, five], for: .milliseconds(60)) == [.refused])
        #expect(pad.look([five], for: .milliseconds(100)) == [])
    }

    @Test func aKeyThatIsHeldSaysSoOnce() {
        var pad = Watcher()
        #expect(pad.look([one], for: .seconds(3)) == [.pressed(one), .held(one)])
    }

    @Test func aStuckKeyCountsOnceAndLeavesTheOthersAlone() {
        var pad = Watcher()
        #expect(pad.look([one], for: .seconds(11)) == [.pressed(one), .held(one), .stuck(one)])
        #expect(pad.look([one, five], for: .milliseconds(60)) == [.pressed(five)])
        #expect(pad.look([one], for: .milliseconds(60)) == [.released(five)])
        // Two keys that make a rectangle with the stuck one.
        #expect(pad.look([one, two, four, five], for: .milliseconds(60)) == [.refused])
        #expect(pad.look([one], for: .milliseconds(60)) == [])
        #expect(pad.look([], for: .milliseconds(60)) == [.freed(one)])
        #expect(pad.look([one], for: .milliseconds(60)) == [.pressed(one)])
    }

    @Test func aLateLookDoesNotDecideAlone() {
        var decoder = MatrixDecoder()
        let pressed = MatrixScan(rows: [1, 0, 0, 0])
        let open = MatrixScan(rows: [0, 0, 0, 0])
        #expect(decoder.looked(pressed, at: .milliseconds(0)) == [])
        #expect(decoder.looked(pressed, at: .milliseconds(300)) == [])
        #expect(decoder.looked(pressed, at: .milliseconds(305)) == [.pressed(one)])
        #expect(decoder.looked(open, at: .milliseconds(310)) == [])
        #expect(decoder.looked(open, at: .milliseconds(600)) == [])
        #expect(decoder.looked(open, at: .milliseconds(605)) == [.released(one)])
    }
}
