// SPDX-License-Identifier: Apache-2.0

/// A curve y^2 = x^3 + b without points of order two, which makes the addition formulas complete.
protocol Curve: Sendable {
    associatedtype Field: CurveField
    static var b: Field { get }
    /// The product with 3 * b.
    static func timesThreeB(_ value: Field) -> Field
    static var generator: AffinePoint<Self> { get }
    /// The multiple by a scalar that may be secret.
    static func multiply(_ point: ProjectivePoint<Self>, by scalar: Fr) -> ProjectivePoint<Self>
}

extension Curve {
    static func multiply(_ point: ProjectivePoint<Self>, by scalar: Fr) -> ProjectivePoint<Self> {
        point.multipliedInWindows(by: scalar)
    }
}
