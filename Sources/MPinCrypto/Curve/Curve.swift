// SPDX-License-Identifier: Apache-2.0

/// A curve y^2 = x^3 + b without points of order two, which makes the addition formulas complete.
protocol Curve: Sendable {
    associatedtype Field: CurveField
    static var b: Field { get }
    /// The product with 3 * b.
    static func timesThreeB(_ value: Field) -> Field
    static var generator: AffinePoint<Self> { get }
}
