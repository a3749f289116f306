// SPDX-License-Identifier: Apache-2.0

extension Limbs {
    /// The product with one word, in five words. Made whole before it is added to anything, so that each addition is a single
    /// chain of carries.
    struct Row {
        var low: Limbs
        var w4: UInt64

        @inline(__always)
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
