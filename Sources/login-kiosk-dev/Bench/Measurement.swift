// SPDX-License-Identifier: Apache-2.0

/// What came out of one benchmark. Times are nanoseconds an operation.
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
