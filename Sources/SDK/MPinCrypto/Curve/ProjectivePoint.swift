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
        let xy = C.Field.sumOfProducts(p.x, q.y, p.y, q.x)
        let yz = C.Field.sumOfProducts(p.y, q.z, p.z, q.y)
        let xz3b = C.timesThreeB(.sumOfProducts(p.x, q.z, p.z, q.x))
        let zz3b = C.timesThreeB(zz)
        let xx3 = xx.tripled
        let sum = yy + zz3b
        let difference = yy - zz3b
        return Self(
            x: .differenceOfProducts(xy, difference, yz, xz3b),
            y: .sumOfProducts(xz3b, xx3, difference, sum),
            z: .sumOfProducts(sum, yz, xx3, xy))
    }

    var doubled: Self {
        let yy = y.squared
        let yy8 = yy.doubled.doubled.doubled
        let zz3b = C.timesThreeB(z.squared)
        let difference = yy - zz3b.tripled
        return Self(
            x: (difference * (x * y)).doubled,
            y: .sumOfProducts(zz3b, yy8, difference, yy + zz3b),
            z: y * z * yy8)
    }

    static func select(_ mask: UInt64, _ a: Self, _ b: Self) -> Self {
        Self(x: .select(mask, a.x, b.x), y: .select(mask, a.y, b.y), z: .select(mask, a.z, b.z))
    }
}

extension ProjectivePoint: ConstantTimeEquatable {
    static func equalMask(_ a: Self, _ b: Self) -> UInt64 {
        // If exactly one z is zero, the comparison of y separates the points: the y of infinity is never zero.
        C.Field.equalMask(a.x * b.z, b.x * a.z) & C.Field.equalMask(a.y * b.z, b.y * a.z)
    }
}
