// SPDX-License-Identifier: Apache-2.0

/// A type whose values are compared as a whole, without an early end at the first difference.
protocol ConstantTimeEquatable: Equatable {
    /// All ones when the values are equal, else zero.
    static func equalMask(_ a: Self, _ b: Self) -> UInt64
}

extension ConstantTimeEquatable {
    static func == (a: Self, b: Self) -> Bool { revealed(equalMask(a, b)) }
}

/// All ones when the two numbers are equal, else zero. Both must be below 2^63.
@_transparent
func maskIfEqual(_ a: UInt64, _ b: UInt64) -> UInt64 { 0 &- (((a ^ b) &- 1) &>> 63) }

/// Makes a condition public that may depend on a secret: true for all ones, false for zero.
///
/// An observer of what happens next knows anyway whether a result is infinite, an encoding is a point, two tokens are
/// equal or a PIN consists of digits. All such decisions are made here and nowhere else, so that a checker of secret
/// data flow may except this one function. Unoptimised builds branch, because a computed answer would still count as
/// secret.
@inline(never)
@_optimize(none)
func revealed(_ mask: UInt64) -> Bool {
    if mask != 0 { return true }
    return false
}
