// SPDX-License-Identifier: Apache-2.0

/// The operations that the curve formulas need of the field of the coordinates.
protocol CurveField: Sendable, ConstantTimeEquatable, BitwiseCopyable {
    static var zero: Self { get }
    static var one: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func - (a: Self, b: Self) -> Self
    static prefix func - (a: Self) -> Self
    static func * (a: Self, b: Self) -> Self
    /// a * b + c * d, cheaper than its parts where the field has a shortcut.
    static func sumOfProducts(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self
    /// a * b - c * d.
    static func differenceOfProducts(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self
    var squared: Self { get }
    var inverse: Self { get }
    /// All ones for zero, else zero.
    var zeroMask: UInt64 { get }
    /// `a` where the mask is all ones, `b` where it is zero.
    static func select(_ mask: UInt64, _ a: Self, _ b: Self) -> Self
}

extension CurveField {
    var isZero: Bool { revealed(zeroMask) }

    @inline(__always)
    var doubled: Self { self + self }

    @inline(__always)
    var tripled: Self { self + self + self }
}
