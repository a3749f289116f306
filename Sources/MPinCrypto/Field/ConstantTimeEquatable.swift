// SPDX-License-Identifier: Apache-2.0

/// A type whose values are compared as a whole, without an early end at the first difference.
protocol ConstantTimeEquatable: Equatable {
    /// All ones when the values are equal, else zero.
    static func equalMask(_ a: Self, _ b: Self) -> UInt64
}

extension ConstantTimeEquatable {
    static func == (a: Self, b: Self) -> Bool { revealed(equalMask(a, b)) }
}
