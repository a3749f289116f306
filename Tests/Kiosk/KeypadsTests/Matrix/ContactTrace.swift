// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskPorts
import Patience
import Testing

/// Contacts of a key matrix under fingers and wear, from a seed: presses with bounce, overlapping presses, several
/// keys at once, stuck keys. A thread that is not always on time scans it row by row.
struct ContactTrace {
    /// One press of a key by a finger.
    struct Press {
        let position: MatrixPosition
        /// The time from the first to the last contact, including bounce.
        let closed: Range<Duration>
        /// Whether it is long enough, and far enough from others, to be recognised.
        let mustCount: Bool
        /// The times in which the contact is closed.
        var intervals: [Range<Duration>]
    }

    private(set) var presses: [Press] = []
    let size: MatrixSize
    private(set) var end = Duration.milliseconds(100)
    private var generator: SplitMix64

    init(seed: UInt64) throws {
        generator = SplitMix64(seed: seed)
        let sizes = [(4, 3), (4, 4), (5, 4), (1, 4), (2, 8)]
        let (rows, columns) = sizes[Int.random(in: 0..<sizes.count, using: &generator)]
        size = try #require(MatrixSize(rows: rows, columns: columns))
        let hasStuckKey = seed % 50 == 0
        if hasStuckKey { addStuckKey() }
        for _ in 0..<3 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1: addSinglePress()
            // Two keys and a stuck one can be three corners of a rectangle, and are refused then.
            case 2 where !hasStuckKey: addOverlappingPresses()
            default: addMash()
            }
        }
    }

    private mutating func random(_ milliseconds: ClosedRange<Int>) -> Duration {
        .microseconds(
            Int.random(in: milliseconds.lowerBound * 1000...milliseconds.upperBound * 1000, using: &generator))
    }

    private mutating func key(_ isFree: (MatrixPosition) -> Bool = { _ in true }) -> MatrixPosition {
        let free = size.positions.filter { position in
            isFree(position) && !presses.contains { $0.position == position && $0.closed.upperBound > end }
        }
        return free[Int.random(in: 0..<free.count, using: &generator)]
    }

    /// Pairs of closing and opening for up to 20 ms after the first contact and after the first release.
    private mutating func bounce(from start: Duration, held: Duration) -> [Range<Duration>] {
        func edges(_ from: Duration, using generator: inout SplitMix64) -> [Duration] {
            let count = Int.random(in: 0...8, using: &generator)
            return (0..<count * 2).map { _ in
                from + .microseconds(Int.random(in: 1...20_000, using: &generator))
            }.sorted()
        }
        let closing = [start] + edges(start, using: &generator)
        let opening = edges(start + held, using: &generator)
        let times = closing + [start + held] + opening
        return stride(from: 0, to: times.count - 1, by: 2).map { times[$0]..<times[$0 + 1] }
    }

    /// - Returns: the time when the last contact opens.
    @discardableResult
    private mutating func press(
        _ position: MatrixPosition, at start: Duration, held: Duration, mustCount: Bool
    ) -> Duration {
        let intervals = bounce(from: start, held: held)
        let last = intervals.last?.upperBound ?? start
        presses.append(
            Press(position: position, closed: start..<last, mustCount: mustCount, intervals: intervals))
        return last
    }

    private mutating func addSinglePress() {
        let last = press(key(), at: end, held: random(60...200), mustCount: true)
        end = last + random(60...120)
    }

    /// The next key goes down before the previous one is up, as with quick typists.
    private mutating func addOverlappingPresses() {
        let first = key()
        let second = key { $0 != first }
        let overlap = random(80...150)
        let lastOfFirst = press(first, at: end, held: overlap + random(0...80), mustCount: true)
        let lastOfSecond = press(
            second, at: end + overlap, held: max(lastOfFirst - (end + overlap), .zero) + random(80...160),
            mustCount: true)
        end = max(lastOfFirst, lastOfSecond) + random(60...120)
    }

    /// A hand or sleeve: two to four keys within a few milliseconds, often three corners of a rectangle.
    private mutating func addMash() {
        var keys = [key()]
        let first = keys[0]
        if size.rows > 1, size.columns > 1 {
            let corner = key { $0.row != first.row && $0.column != first.column }
            keys += [
                MatrixPosition(row: first.row, column: corner.column),
                MatrixPosition(row: corner.row, column: first.column),
            ].filter { position in
                !presses.contains { $0.position == position && $0.closed.upperBound > end }
            }
        }
        if keys.count < 2 || Bool.random(using: &generator) {
            let taken = keys
            keys.append(key { !taken.contains($0) })
        }
        var last = end
        for position in keys {
            last = max(last, press(position, at: end + random(0...12), held: random(40...200), mustCount: false))
        }
        end = last + random(60...120)
    }

    /// The key goes down first, alone, and stays.
    private mutating func addStuckKey() {
        let position = key()
        presses.append(
            Press(
                position: position, closed: end..<Duration.seconds(600), mustCount: true,
                intervals: [end..<Duration.seconds(600)]))
        end += MatrixTiming.stuck + .milliseconds(200)
    }

    /// A scan that drives one row after another from `start`, each with its own delay.
    mutating func look(at start: Duration) -> (MatrixScan, ended: Duration) {
        var now = start
        let rows = (0..<size.rows).map { row in
            now += random(0...1)
            return columns(answeringTo: row, at: now)
        }
        return (MatrixScan(rows: rows), now)
    }

    /// A thread's sleep of one period, which now and then takes much longer.
    mutating func pause() -> Duration {
        MatrixTiming.scanPeriod + random(0...2)
            + (Int.random(in: 0..<100, using: &generator) == 0 ? random(5...15) : .zero)
    }

    /// The columns that the current reaches, through any number of keys.
    private func columns(answeringTo row: Int, at time: Duration) -> UInt64 {
        var masks = [UInt64](repeating: 0, count: size.rows)
        for press in presses where press.closed.contains(time) && press.intervals.contains(where: { $0.contains(time) })
        {
            masks[press.position.row] |= 1 << press.position.column
        }
        var reached = masks[row]
        var before: UInt64 = 0
        while reached != before {
            before = reached
            for mask in masks where mask & reached != 0 { reached |= mask }
        }
        return reached
    }
}
