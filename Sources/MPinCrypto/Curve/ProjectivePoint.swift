// SPDX-License-Identifier: Apache-2.0

/// A point in homogeneous coordinates, (x : y : z) for (x/z, y/z); z is zero at infinity.
///
/// The formulas are complete (Renes, Costello and Batina, 2016, algorithms 7 and 9, for a = 0): equal, opposite and
/// infinite operands take the same path as any other.
struct ProjectivePoint<C: Curve>: Sendable, BitwiseCopyable {
    var x, y, z: C.Field

    init(x: C.Field, y: C.Field, z: C.Field) {
        self.x = x
        self.y = y
        self.z = z
    }

    static var infinity: Self { Self(x: .zero, y: .one, z: .zero) }

    var isInfinity: Bool { z.isZero }

    /// The affine point; nil at infinity.
    var affine: AffinePoint<C>? {
        let scale = z.inverse
        guard !isInfinity else { return nil }
        return AffinePoint(x: x * scale, y: y * scale)
    }

    static prefix func - (point: Self) -> Self { Self(x: point.x, y: -point.y, z: point.z) }

    static func + (p: Self, q: Self) -> Self {
        let xx = p.x * q.x
        let yy = p.y * q.y
        let zz = p.z * q.z
        let xy = (p.x + p.y) * (q.x + q.y) - xx - yy
        let yz = (p.y + p.z) * (q.y + q.z) - yy - zz
        let xz3b = C.timesThreeB((p.x + p.z) * (q.x + q.z) - xx - zz)
        let zz3b = C.timesThreeB(zz)
        let xx3 = xx.tripled
        let sum = yy + zz3b
        let difference = yy - zz3b
        return Self(
            x: xy * difference - yz * xz3b,
            y: xz3b * xx3 + difference * sum,
            z: sum * yz + xx3 * xy)
    }

    var doubled: Self {
        let yy = y.squared
        let yy8 = yy.doubled.doubled.doubled
        let zz3b = C.timesThreeB(z.squared)
        let difference = yy - zz3b.tripled
        return Self(
            x: (difference * (x * y)).doubled,
            y: zz3b * yy8 + difference * (yy + zz3b),
            z: y * z * yy8)
    }

    static func select(_ mask: UInt64, _ a: Self, _ b: Self) -> Self {
        Self(x: .select(mask, a.x, b.x), y: .select(mask, a.y, b.y), z: .select(mask, a.z, b.z))
    }
}

extension ProjectivePoint: Equatable {
    static func == (a: Self, b: Self) -> Bool {
        a.isInfinity || b.isInfinity
            ? a.isInfinity && b.isInfinity : a.x * b.z == b.x * a.z && a.y * b.z == b.y * a.z
    }
}
