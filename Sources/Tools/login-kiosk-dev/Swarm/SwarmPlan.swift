// SPDX-License-Identifier: Apache-2.0

import Patience

/// The times at which people log in, and which of them type a wrong PIN. It depends on the seed only.
struct SwarmPlan: Sendable, Equatable {
    /// Bounds the memory for results.
    static let maximumLogins = 1_000_000

    struct Login: Sendable, Equatable {
        /// Seconds since the load began.
        var begins: Double
        var typesWrongPIN: Bool
    }

    /// The logins in the order of their times.
    let logins: [Login]

    var wrongPINs: Int { logins.count { $0.typesWrongPIN } }

    /// Plans one login for each slot of equal length, at a random time within it.
    ///
    /// - Parameters:
    ///   - rate: logins per second.
    ///   - seconds: length of the plan.
    ///   - wrongShare: 0...1.
    init(rate: Double, seconds: Double, wrongShare: Double, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = min(SwarmPlan.maximumLogins, max(1, Int((rate * seconds).rounded())))
        let wrong = Set((0..<count).shuffled(using: &random).prefix(Int((Double(count) * wrongShare).rounded())))
        logins = (0..<count).map { slot in
            Login(
                begins: (Double(slot) + .random(in: 0..<1, using: &random)) / rate,
                typesWrongPIN: wrong.contains(slot))
        }
    }
}
