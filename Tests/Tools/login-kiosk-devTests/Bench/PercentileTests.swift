// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import login_kiosk_dev

@Suite struct Percentiles {
    @Test(arguments: [(0.0, 1.0), (0.1, 11), (0.5, 51), (0.99, 100), (1, 101)])
    func areSamples(_ fraction: Double, _ sample: Double) {
        #expect((1...101).map(Double.init).shuffled().percentile(fraction) == sample)
    }

    @Test func ofOneSampleAreIt() {
        let spread = Spread(of: [7])
        #expect(spread.low == 7 && spread.median == 7 && spread.high == 7)
    }

    @Test func leaveOutliersOutsideTheSpread() {
        let spread = Spread(of: [1000, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1000])
        #expect(spread.low == 2 && spread.median == 6 && spread.high == 10)
    }

    @Test func ofARatioComeFromThePairs() {
        let measurement = Measurement("x", [10, 40, 30], reference: "y", [10, 20, 10])
        #expect(measurement.ratio?.median == 2)
        #expect(measurement.referenceTime?.median == 10)
    }
}
