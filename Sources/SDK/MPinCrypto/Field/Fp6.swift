// SPDX-License-Identifier: Apache-2.0

/// Fp2[v] with v^3 = xi: c0 + c1 * v + c2 * v^2.
struct Fp6: Sendable, ConstantTimeEquatable, BitwiseCopyable {
    var c0, c1, c2: Fp2

    @inline(__always)
    init(_ c0: Fp2, _ c1: Fp2, _ c2: Fp2) {
        self.c0 = c0
        self.c1 = c1
        self.c2 = c2
    }

    static var zero: Fp6 { Fp6(.zero, .zero, .zero) }
    static var one: Fp6 { Fp6(.one, .zero, .zero) }

    static func equalMask(_ a: Fp6, _ b: Fp6) -> UInt64 {
        Fp2.equalMask(a.c0, b.c0) & Fp2.equalMask(a.c1, b.c1) & Fp2.equalMask(a.c2, b.c2)
    }

    @inline(__always)
    static func + (a: Fp6, b: Fp6) -> Fp6 { Fp6(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2) }

    @inline(__always)
    static func - (a: Fp6, b: Fp6) -> Fp6 { Fp6(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2) }

    @inline(__always)
    static prefix func - (a: Fp6) -> Fp6 { Fp6(-a.c0, -a.c1, -a.c2) }

    static func * (a: Fp6, b: Fp6) -> Fp6 {
        let d0 = a.c0 * b.c0
        let d1 = a.c1 * b.c1
        let d2 = a.c2 * b.c2
        return Fp6(
            ((a.c1 + a.c2) * (b.c1 + b.c2) - d1 - d2).timesXi + d0,
            (a.c0 + a.c1) * (b.c0 + b.c1) - d0 - d1 + d2.timesXi,
            (a.c0 + a.c2) * (b.c0 + b.c2) - d0 - d2 + d1)
    }

    @inline(__always)
    static func * (a: Fp6, b: Fp2) -> Fp6 { Fp6(a.c0 * b, a.c1 * b, a.c2 * b) }

    /// The product with b0 + b1 * v.
    func timesSparse(_ b0: Fp2, _ b1: Fp2) -> Fp6 {
        let d0 = c0 * b0
        let d1 = c1 * b1
        return Fp6((c2 * b1).timesXi + d0, (c0 + c1) * (b0 + b1) - d0 - d1, c2 * b0 + d1)
    }

    @inline(__always)
    var timesV: Fp6 { Fp6(c2.timesXi, c0, c1) }

    /// 1 / self; zero for zero.
    var inverse: Fp6 {
        // The adjugate of the multiplication by self, divided by its norm.
        let t0 = c0.squared - (c1 * c2).timesXi
        let t1 = c2.squared.timesXi - c0 * c1
        let t2 = c1.squared - c0 * c2
        let norm = c0 * t0 + (c2 * t1 + c1 * t2).timesXi
        return Fp6(t0, t1, t2) * norm.inverse
    }
}
