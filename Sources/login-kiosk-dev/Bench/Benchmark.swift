// SPDX-License-Identifier: Apache-2.0

/// Something to time, and what to time it against in the same breath.
struct Benchmark {
    /// Does one thing a given number of times.
    typealias Work = (_ count: Int) throws -> Void

    struct Reference {
        var name: String
        var work: Work
    }

    var name: String
    var ours: Work
    var reference: Reference
}
