// SPDX-License-Identifier: Apache-2.0

/// A line through points of G2, scaled by an element of Fp2 (which the final exponentiation makes 1): at a point (x, y)
/// of G1 its value is c0 * y + c1 * x * w + c3 * w^3.
struct Line: BitwiseCopyable {
    var c0, c1, c3: Fp2
}

extension Fp12 {
    /// The product with the value of a line, which has six of its twelve coefficients.
    func times(_ line: Line, at p: AffinePoint<G1>) -> Fp12 {
        let l0 = line.c0 * p.y
        let l1 = line.c1 * p.x
        let d0 = c0 * l0
        let d1 = c1.timesSparse(l1, line.c3)
        return Fp12(d0 + d1.timesV, (c0 + c1).timesSparse(l0 + l1, line.c3) - d0 - d1)
    }
}
