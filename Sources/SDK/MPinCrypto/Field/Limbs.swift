// SPDX-License-Identifier: Apache-2.0

/// A 256-bit number: four stored words, the least significant first. Nothing here branches on the words' content.
struct Limbs: Sendable, BitwiseCopyable {
    var w0, w1, w2, w3: UInt64

    @_transparent
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    static var zero: Limbs {
        @inline(__always) get { Limbs(0, 0, 0, 0) }
    }

    /// All ones for zero, else zero.
    @inline(__always)
    var zeroMask: UInt64 {
        let any = w0 | w1 | w2 | w3
        return ((any | (0 &- any)) &>> 63) &- 1
    }

    /// Twice the number, which must be below 2^255.
    @inline(__always)
    var doubled: Limbs { adding(self) }

    /// The sum modulo 2^256.
    @inline(__always)
    func adding(_ other: Limbs) -> Limbs { addingWithCarry(other).sum }

    /// The sum modulo 2^256, and the carry: 1 or 0.
    @_transparent
    func addingWithCarry(_ other: Limbs) -> (sum: Limbs, carry: UInt64) {
        let s0 = wide(w0) &+ wide(other.w0)
        let s1 = wide(w1) &+ wide(other.w1) &+ wide(s0.high)
        let s2 = wide(w2) &+ wide(other.w2) &+ wide(s1.high)
        let s3 = wide(w3) &+ wide(other.w3) &+ wide(s2.high)
        return (Limbs(s0.low, s1.low, s2.low, s3.low), s3.high)
    }

    /// The difference modulo 2^256, and a mask: all ones when `other` is the greater number, else zero.
    @_transparent
    func subtracting(_ other: Limbs) -> (difference: Limbs, borrow: UInt64) {
        // The high half of each difference is zero or all ones: already the mask of the borrow.
        let d0 = wide(w0) &- wide(other.w0)
        let d1 = wide(w1) &- wide(other.w1) &- wide(d0.high & 1)
        let d2 = wide(w2) &- wide(other.w2) &- wide(d1.high & 1)
        let d3 = wide(w3) &- wide(other.w3) &- wide(d2.high & 1)
        return (Limbs(d0.low, d1.low, d2.low, d3.low), d3.high)
    }

    /// This number when it is below `modulus`, else the number less `modulus`.
    @inline(__always)
    func reducedOnce(by modulus: Limbs) -> Limbs {
        let (difference, borrow) = subtracting(modulus)
        return .select(borrow, self, difference)
    }

    @inline(__always)
    func masked(by mask: UInt64) -> Limbs { Limbs(w0 & mask, w1 & mask, w2 & mask, w3 & mask) }

    /// `a` where the mask is all ones, `b` where it is zero.
    @inline(__always)
    static func select(_ mask: UInt64, _ a: Limbs, _ b: Limbs) -> Limbs {
        Limbs(
            b.w0 ^ (mask & (a.w0 ^ b.w0)), b.w1 ^ (mask & (a.w1 ^ b.w1)), b.w2 ^ (mask & (a.w2 ^ b.w2)),
            b.w3 ^ (mask & (a.w3 ^ b.w3)))
    }

    /// Four bits; window 0 holds the least significant ones. The index is public, the bits may be secret.
    func window(_ index: Int) -> UInt64 {
        let word =
            switch index &>> 4 {
            case 0: w0
            case 1: w1
            case 2: w2
            default: w3
            }
        return (word &>> UInt64(4 &* (index & 15))) & 15
    }
}

extension Limbs {
    /// The product with one word, in five words. It is complete before it is added to anything, so that each addition
    /// is a single chain of carries.
    struct Row {
        var low: Limbs
        var w4: UInt64

        @_transparent
        init(_ x: Limbs, _ y: UInt64) {
            let y = wide(y)
            let p0 = wide(x.w0) &* y
            let p1 = wide(x.w1) &* y
            let p2 = wide(x.w2) &* y
            let p3 = wide(x.w3) &* y
            let s1 = wide(p1.low) &+ wide(p0.high)
            let s2 = wide(p2.low) &+ wide(p1.high) &+ wide(s1.high)
            let s3 = wide(p3.low) &+ wide(p2.high) &+ wide(s2.high)
            low = Limbs(p0.low, s1.low, s2.low, s3.low)
            w4 = p3.high &+ s3.high
        }
    }
}

extension Limbs {
    /// The product divided by 2^256, rounded down.
    func upperHalf(times other: Limbs) -> Limbs {
        var t = Limbs.zero
        t.addRow(Row(self, other.w0))
        t.addRow(Row(self, other.w1))
        t.addRow(Row(self, other.w2))
        t.addRow(Row(self, other.w3))
        return t
    }

    /// self = (self + row) / 2^64, rounded down.
    @inline(__always)
    private mutating func addRow(_ row: Row) {
        let (sum, carry) = addingWithCarry(row.low)
        self = Limbs(sum.w1, sum.w2, sum.w3, row.w4 &+ carry)
    }
}

extension Limbs: ConstantTimeEquatable {
    @inline(__always)
    static func equalMask(_ a: Limbs, _ b: Limbs) -> UInt64 {
        Limbs(a.w0 ^ b.w0, a.w1 ^ b.w1, a.w2 ^ b.w2, a.w3 ^ b.w3).zeroMask
    }
}

// Sums and products of 64-bit words in 128 bits. A carry from the high half stays arithmetic; a carry from an overflow
// flag was compiled to a branch on secret data.
//
// `UInt128(x)` and `&>> 64` mean the same as the initialiser and the property used here, but are generic calls in an
// unoptimised build. In such a build only `@_transparent` inlines these functions, and only within the file, so they
// stand at the end of this one. The tests of every module that uses this one depend on that speed.

@_transparent
func wide(_ word: UInt64) -> UInt128 { UInt128(_low: word, _high: 0) }

extension UInt128 {
    @_transparent
    var low: UInt64 { _low }

    @_transparent
    var high: UInt64 { _high }
}
