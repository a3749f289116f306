// SPDX-License-Identifier: Apache-2.0

/// y^2 = x^3 + 2 over Fp. The group has prime order r: every finite point of the curve belongs to it.
enum G1: Curve {
    static var b: Fp { .one.doubled }

    @inline(__always)
    static func timesThreeB(_ value: Fp) -> Fp { value.tripled.doubled }

    static var generator: AffinePoint<G1> { AffinePoint(x: -.one, y: .one) }
}
