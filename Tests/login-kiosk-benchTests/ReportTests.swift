// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import login_kiosk_bench

struct ReportTests {
    static let report = Report(measurements: [
        Measurement(
            name: "compared", ours: Spread(of: [1, 2, 3]), reference: "the other", referenceTime: Spread(of: [4_000]),
            ratio: Spread(of: [0.5, 0.25, 0.75])),
        Measurement(name: "alone", ours: Spread(of: [1_500_000])),
    ])

    @Test
    func spreadLeavesATenthOutOnEachSide() {
        let spread = Spread(of: (1...101).map(Double.init).shuffled())
        #expect((spread.low, spread.median, spread.high) == (11, 51, 91))
        let single = Spread(of: [7])
        #expect((single.low, single.median, single.high) == (7, 7, 7))
    }

    @Test
    func json() throws {
        let objects = try JSONSerialization.jsonObject(with: Data(Self.report.json().utf8)) as? [[String: Any]]
        let (first, second) = (try #require(objects?.first), try #require(objects?.last))
        #expect(Set(first.keys) == ["name", "ours_ns", "reference", "reference_ns", "ratio"])
        #expect(first["name"] as? String == "compared")
        #expect(first["ours_ns"] as? Double == 2)
        #expect(first["reference"] as? String == "the other")
        #expect(first["reference_ns"] as? Double == 4_000)
        #expect(first["ratio"] as? Double == 0.5)
        #expect(Set(second.keys) == ["name", "ours_ns"])
    }

    @Test
    func table() {
        #expect(
            Self.report.table == """
                          ours     reference           ratio  spread
                compared  2.0 ns   the other  4.00 us  0.500  0.250 ... 0.750
                alone     1.50 ms
                """)
    }
}
