// SPDX-License-Identifier: Apache-2.0

/// A finite point.
struct AffinePoint<C: Curve>: Sendable, ConstantTimeEquatable, BitwiseCopyable {
    var x, y: C.Field

    init(x: C.Field, y: C.Field) {
        self.x = x
        self.y = y
    }

    var isOnCurve: Bool { y.squared == x.squared * x + C.b }

    var projective: ProjectivePoint<C> { ProjectivePoint(x: x, y: y, z: .one) }

    static func equalMask(_ a: Self, _ b: Self) -> UInt64 {
        C.Field.equalMask(a.x, b.x) & C.Field.equalMask(a.y, b.y)
    }

    static prefix func - (point: Self) -> Self { Self(x: point.x, y: -point.y) }
}
