// SPDX-License-Identifier: Apache-2.0

/// A line through points of G2, evaluated at a point of G1 and scaled by an element of Fp2 (which the final exponentiation
/// makes 1): c0 + c1 * w + c3 * w^3.
struct Line {
    var c0, c1, c3: Fp2
}

extension Fp12 {
    /// The product with a line, which has six of its twelve coefficients.
    func times(_ line: Line) -> Fp12 {
        let d0 = c0 * line.c0
        let d1 = c1.timesSparse(line.c1, line.c3)
        return Fp12(d0 + d1.timesV, (c0 + c1).timesSparse(line.c0 + line.c1, line.c3) - d0 - d1)
    }
}
