// SPDX-License-Identifier: Apache-2.0

// Sums and products of 64-bit words in 128 bits. A carry taken from the high half stays an arithmetic value; a carry taken
// from an overflow flag was seen to become a branch on secret data.
// `UInt128(x)` and `&>> 64` mean the same as the initialiser and the property used here, but are generic calls in an
// unoptimised build, which makes the tests of every user of this module three times slower.

@inline(__always)
func wide(_ word: UInt64) -> UInt128 { UInt128(_low: word, _high: 0) }

extension UInt128 {
    @inline(__always)
    var low: UInt64 { _low }

    @inline(__always)
    var high: UInt64 { _high }
}

/// All ones when the two numbers are equal, else zero. Both must be below 2^63.
@inline(__always)
func maskIfEqual(_ a: UInt64, _ b: UInt64) -> UInt64 { 0 &- (((a ^ b) &- 1) &>> 63) }
