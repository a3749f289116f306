// SPDX-License-Identifier: Apache-2.0

/// A curve y^2 = x^3 + b without points of order two, which makes the addition formulas complete.
protocol Curve: Sendable {
    associatedtype Field: CurveField
    static var b: Field { get }
    /// The product with 3 * b.
    static func timesThreeB(_ value: Field) -> Field
    static var generator: AffinePoint<Self> { get }
    /// A map of the group that multiplies by a fixed number and costs next to nothing.
    static func endomorphism(_ point: ProjectivePoint<Self>) -> ProjectivePoint<Self>
    /// The scalar in two halves for the group's endomorphism, computed in constant time.
    static func split(_ scalar: Fr) -> SplitScalar
}

/// The number x from which everything about BN254CX follows: x = -0x4000000003C012B1.
enum CurveParameter {
    /// |x|; x itself is negative.
    static var magnitude: UInt64 { 0x4000_0000_03c0_12b1 }
}

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
