// SPDX-License-Identifier: Apache-2.0

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
