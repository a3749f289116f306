// SPDX-License-Identifier: Apache-2.0

extension G1 {
    /// A cube root of 1 in the field, in Montgomery form: (beta * x, y) is lambda times (x, y), where lambda is a cube root of 1
    /// modulo r (Gallant, Lambert and Vanstone, 2001).
    private static var beta: Fp {
        @inline(__always) get {
            Fp(
                montgomery: Limbs(
                    0x54b0_6f4e_8c60_8bab, 0x6470_a2da_720b_ac3b, 0x8c17_84b6_84d1_35ef, 0x19c7_5d89_cea7_0a7f))
        }
    }

    /// The multiple by a scalar that may be secret: the scalar is split into two halves, so that 32 windows of four bits do
    /// instead of 64, with the same doublings for both. Every entry of the table is read for each window.
    static func multiply(_ point: ProjectivePoint<G1>, by scalar: Fr) -> ProjectivePoint<G1> {
        let halves = SplitScalar(scalar)
        let multiples = SignedWindowTable(point)
        var result = ProjectivePoint<G1>.infinity
        for index in (0..<SplitScalar.windows).reversed() {
            result = result.doubled.doubled.doubled.doubled
            var entry = multiples.entry(SplitScalar.window(index, of: halves.second))
            entry.x = entry.x * beta
            result = result + multiples.entry(SplitScalar.window(index, of: halves.first)) + entry
        }
        return result
    }
}
