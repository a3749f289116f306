// SPDX-License-Identifier: Apache-2.0

/// The result of one benchmark. Times are nanoseconds an operation.
struct Measurement: Sendable {
    var name: String
    var ours: Spread
    var reference: String?
    var referenceTime: Spread?
    /// Ours over reference, taken pair by pair: a pair runs within milliseconds, so that a machine whose speed
    /// drifts slows both.
    var ratio: Spread?
    var figures: [Figure] = []
}

extension Measurement {
    /// - Parameters:
    ///   - samples: nanoseconds, not empty.
    ///   - referenceSamples: taken together with the sample of the same index; none without a reference.
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

/// A value that a measurement tells beside a time: a word in the last column of the table, a member of its own in JSON.
struct Figure: Sendable {
    /// The member's name, with its unit: `per_second`.
    var name: String
    var value: Double
    /// With the unit, for people: `120 a second`.
    var text: String
}

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

extension [Double] {
    /// The sample that `fraction` of them lie below, nearest rank. There must be samples.
    ///
    /// - Parameter fraction: 0...1.
    func percentile(_ fraction: Double) -> Double {
        sorted()[Int((Double(count - 1) * fraction).rounded())]
    }
}
