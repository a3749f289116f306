// SPDX-License-Identifier: Apache-2.0

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
