// SPDX-License-Identifier: Apache-2.0

import SeededRandomness

/// When people come to log in, and which of them type a wrong PIN: the seed's alone.
struct SwarmPlan: Sendable, Equatable {
    /// So that what is remembered of them has a bound.
    static let maximumLogins = 1_000_000

    struct Login: Sendable, Equatable {
        /// Seconds since the load began.
        var begins: Double
        var typesWrongPIN: Bool
    }

    /// In the order in which they begin.
    let logins: [Login]

    var wrongPINs: Int { logins.count { $0.typesWrongPIN } }

    /// Each login has a slot of the same length, and begins somewhere within it: people do not come by the clock.
    ///
    /// - Parameters:
    ///   - rate: logins a second.
    ///   - seconds: how long people come.
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
