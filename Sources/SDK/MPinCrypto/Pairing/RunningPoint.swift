// SPDX-License-Identifier: Apache-2.0

/// The running multiple of a point of G2 in the Miller loop. Each step returns the line that it passes.
struct RunningPoint: BitwiseCopyable {
    private let q: AffinePoint<G2>
    private var running: ProjectivePoint<G2>

    init(_ q: AffinePoint<G2>) {
        self.q = q
        running = q.projective
    }

    /// Doubles, along the tangent.
    mutating func double() -> Line {
        let (x, y, z) = (running.x, running.y, running.z)
        let yy = y.squared
        let zz = z.squared
        let zz3b = G2.timesThreeB(zz)
        let zz9b = zz3b.tripled
        let yz2 = (y + z).squared - yy - zz
        // Four times the usual formulas, which then need no halving.
        running = ProjectivePoint(
            x: (x * y * (yy - zz9b)).doubled,
            y: (yy + zz9b).squared - zz3b.squared.tripled.doubled.doubled,
            z: (yy * yz2).doubled.doubled)
        return Line(c0: -yz2, c1: x.squared.tripled, c3: zz3b - yy)
    }

    /// Adds the point itself, along the line through both.
    mutating func addPoint() -> Line { add(q) }

    /// Ends the loop: 6x + 2 is negative, so the running point is negated; then psi(q) and -psi^2(q) are added.
    mutating func finish() -> (Line, Line) {
        running = -running
        let psi = q.psi
        return (add(psi), add(-psi.psi))
    }

    private mutating func add(_ point: AffinePoint<G2>) -> Line {
        let theta = running.y - point.y * running.z
        let lambda = running.x - point.x * running.z
        let lambda2 = lambda.squared
        let lambda3 = lambda2 * lambda
        let g = running.x * lambda2
        let h = lambda3 + running.z * theta.squared - g.doubled
        running = ProjectivePoint(
            x: lambda * h,
            y: .differenceOfProducts(theta, g - h, lambda3, running.y),
            z: running.z * lambda3)
        return Line(c0: lambda, c1: -theta, c3: .differenceOfProducts(theta, point.x, lambda, point.y))
    }
}

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
