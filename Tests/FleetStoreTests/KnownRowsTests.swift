// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing

@testable import FleetStore

@Suite struct KnownRowsTests {
    private static func some(_ random: inout SplitMix64) -> KnownRows {
        var rows = KnownRows(history: String(repeating: "h", count: 36), version: Int(random.next() >> 2))
        rows.hear(of: Int(random.next() >> 2))
        for number in 0..<Int.random(in: 0...6, using: &random) {
            let name = (0..<IdentityRow.nameLength).map { _ in UInt8.random(in: 0...255, using: &random) }
            let sealed = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            rows.marks[name] = KnownRows.Mark(
                number: number, version: number * 3, sealed: Bool.random(using: &random) ? sealed : nil)
        }
        return rows
    }

    @Test func whatIsWrittenIsRead() {
        var random = SplitMix64(seed: 81)
        for _ in 0..<200 {
            let rows = KnownRowsTests.some(&random)
            #expect(KnownRows(rows.encoded()) == rows)
        }
    }

    /// Whatever stands there, it is read as a whole or not at all, and what is read is written the same way.
    @Test func changedBytesAreReadOrRefused() {
        var random = SplitMix64(seed: 82)
        for _ in 0..<5000 {
            var bytes = KnownRowsTests.some(&random).encoded()
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0...2, using: &random) {
                case 0 where !bytes.isEmpty:
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                case 1 where !bytes.isEmpty: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
                default:
                    bytes += (0..<Int.random(in: 1...60, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            guard let rows = KnownRows(bytes) else { continue }
            #expect(KnownRows(rows.encoded()) == rows)
        }
    }

    @Test func aRowIsOutdatedByItsMarkOrByWhatWasSeen() {
        let (known, unknown) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let rows = KnownRows(version: 10, marks: [known: KnownRows.Mark(number: 1, version: 5, sealed: nil)])
        for (name, version, isOutdated) in [
            (known, 4, true), (known, 5, false), (known, 6, false), (unknown, 10, true), (unknown, 11, false),
        ] {
            #expect(rows.isOutdated(IdentityRow(name: name, number: 1, version: version, sealed: [])) == isOutdated)
        }
    }
}
