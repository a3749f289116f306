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
    /// The scalar in two halves for the group's endomorphism. No step depends on the scalar but by its value.
    static func split(_ scalar: Fr) -> SplitScalar
}
