// SPDX-License-Identifier: Apache-2.0

/// What the curve formulas need of the field of the coordinates.
protocol CurveField: Sendable, Equatable, BitwiseCopyable {
    static var zero: Self { get }
    static var one: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func - (a: Self, b: Self) -> Self
    static prefix func - (a: Self) -> Self
    static func * (a: Self, b: Self) -> Self
    var squared: Self { get }
    var inverse: Self { get }
    var isZero: Bool { get }
    /// `a` where the mask is all ones, `b` where it is zero.
    static func select(_ mask: UInt64, _ a: Self, _ b: Self) -> Self
}

extension CurveField {
    @inline(__always)
    var doubled: Self { self + self }

    @inline(__always)
    var tripled: Self { self + self + self }
}
