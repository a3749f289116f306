// SPDX-License-Identifier: Apache-2.0

/// A pair with precomputed lines. Divided by y, the value of a line at a point (x, y) is 1 + (c1 x / y) w + (c3 / y)
/// w^3. The final exponentiation turns y, as any element of Fp, into 1.
struct PreparedPair: MillerPair {
    private let point: PreparedPoint
    private let xOverY, oneOverY: Fp
    private var index = 0

    init(_ p: AffinePoint<G1>, _ q: PreparedPoint) {
        point = q
        // There is no point of order two, so y is not zero.
        oneOverY = p.y.inverse
        xOverY = p.x * oneOverY
    }

    mutating func multiplyTangent(into f: inout Fp12) { multiplyNextLine(into: &f) }

    mutating func multiplyChord(into f: inout Fp12) { multiplyNextLine(into: &f) }

    mutating func multiplyLastLines(into f: inout Fp12) {
        multiplyNextLine(into: &f)
        multiplyNextLine(into: &f)
    }

    private mutating func multiplyNextLine(into f: inout Fp12) {
        let line = point.lines[index]
        index += 1
        let l1 = line.c1 * xOverY
        let l3 = line.c3 * oneOverY
        f = Fp12(f.c0 + f.c1.timesSparse(l1, l3).timesV, f.c1 + f.c0.timesSparse(l1, l3))
    }
}
