// SPDX-License-Identifier: Apache-2.0

/// The result of one benchmark. Times are nanoseconds an operation.
struct Measurement: Sendable {
    var name: String
    var ours: Spread
    var reference: String?
    var referenceTime: Spread?
    /// The ratio to the reference, pair by pair. A pair runs within milliseconds, so that a machine whose speed
    /// drifts slows both halves.
    var ratio: Spread?
    var figures: [Figure] = []
}

extension Measurement {
    /// - Parameters:
    ///   - samples: nanoseconds, not empty.
    ///   - referenceSamples: each was taken together with the sample of the same index. Empty without a reference.
    init(
        _ name: String, _ samples: [Double], reference: String? = nil, _ referenceSamples: [Double] = [],
        figures: [Figure] = []
    ) {
        self.name = name
        ours = Spread(of: samples)
        self.reference = reference
        if reference != nil {
            referenceTime = Spread(of: referenceSamples)
            ratio = Spread(of: zip(samples, referenceSamples).map { $0 / $1 })
        }
        self.figures = figures
    }
}

/// A value besides the time: a word in the table's last column, a member in JSON.
struct Figure: Sendable {
    /// The member's name, with its unit: `per_second`.
    var name: String
    var value: Double
    /// The value with its unit, for people: `120 a second`.
    var text: String
}

/// The median of many samples, and their first and last deciles.
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

extension [Double] {
    /// The sample at `fraction` of the sorted samples, by nearest rank. There must be samples.
    ///
    /// - Parameter fraction: 0...1.
    func percentile(_ fraction: Double) -> Double {
        sorted()[Int((Double(count - 1) * fraction).rounded())]
    }
}
