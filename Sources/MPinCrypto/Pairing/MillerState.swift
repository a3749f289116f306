// SPDX-License-Identifier: Apache-2.0

/// One pair of points on its way through the Miller loop: the running multiple of `q`, and the lines it passes.
struct MillerState: BitwiseCopyable {
    let p: AffinePoint<G1>
    let q: AffinePoint<G2>
    private var running: ProjectivePoint<G2>

    init(_ p: AffinePoint<G1>, _ q: AffinePoint<G2>) {
        self.p = p
        self.q = q
        running = q.projective
    }

    /// Doubles the running point and returns the tangent there.
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
        return Line(c0: -(yz2 * p.y), c1: x.squared.tripled * p.x, c3: zz3b - yy)
    }

    /// Adds a point to the running point and returns the line through both.
    mutating func add(_ point: AffinePoint<G2>) -> Line {
        let theta = running.y - point.y * running.z
        let lambda = running.x - point.x * running.z
        let lambda2 = lambda.squared
        let lambda3 = lambda2 * lambda
        let g = running.x * lambda2
        let h = lambda3 + running.z * theta.squared - g.doubled
        running = ProjectivePoint(
            x: lambda * h,
            y: theta * (g - h) - lambda3 * running.y,
            z: running.z * lambda3)
        return Line(c0: lambda * p.y, c1: -(theta * p.x), c3: theta * point.x - lambda * point.y)
    }

    mutating func negate() { running = -running }
}
