// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import Testing

@testable import login_kiosk_dev

@Suite struct Reports {
    private let report = [
        Measurement("login", [2_500_000, 2_500_000], reference: "round trip", [500_000, 1_000_000]),
        Measurement(
            "1 client", [900], figures: [Figure(name: "per_second", value: 120.5, text: "120 a second")]),
    ]

    @Test func areATable() {
        #expect(
            report.table.text == """
                          ours      reference            ratio  spread
                login     2.50 ms   round trip  1.00 ms  5.000  2.500 ... 5.000
                1 client  900.0 ns                                               120 a second
                """)
    }

    @Test func areJSON() throws {
        let objects = try #require(
            try JSONSerialization.jsonObject(with: try JSONOutput.text(of: report.objects)) as? [[String: Any]])
        try #require(objects.count == 2)
        #expect(Set(objects[0].keys) == ["name", "ours_ns", "reference", "reference_ns", "ratio"])
        #expect(objects[0]["name"] as? String == "login")
        #expect(objects[0]["ours_ns"] as? Double == 2_500_000)
        #expect(objects[0]["reference"] as? String == "round trip")
        #expect(objects[0]["reference_ns"] as? Double == 1_000_000)
        #expect(objects[0]["ratio"] as? Double == 5)
        #expect(Set(objects[1].keys) == ["name", "ours_ns", "per_second"])
        #expect(objects[1]["per_second"] as? Double == 120.5)
    }
}
