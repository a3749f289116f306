// SPDX-License-Identifier: Apache-2.0

/// The middle of many samples, and the borders that a tenth of them lies below and above.
struct Spread: Sendable {
    var low: Double
    var median: Double
    var high: Double

    /// `samples` must not be empty.
    init(of samples: [Double]) {
        let sorted = samples.sorted()
        func sample(at fraction: Double) -> Double { sorted[Int((Double(sorted.count - 1) * fraction).rounded())] }
        low = sample(at: 0.1)
        median = sample(at: 0.5)
        high = sample(at: 0.9)
    }
}
