// SPDX-License-Identifier: Apache-2.0

/// The middle of many samples, and the borders that a tenth of them lies below and above.
struct Spread: Sendable {
    var low: Double
    var median: Double
    var high: Double

    /// `samples` must not be empty.
    init(of samples: [Double]) {
        low = samples.percentile(0.1)
        median = samples.percentile(0.5)
        high = samples.percentile(0.9)
    }
}
