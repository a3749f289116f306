// SPDX-License-Identifier: Apache-2.0

/// Fp[i] with i^2 = -1: re + im * i.
struct Fp2: CurveField {
    var re, im: Fp

    @inline(__always)
    init(_ re: Fp, _ im: Fp) {
        self.re = re
        self.im = im
    }

    static var zero: Fp2 {
        @inline(__always) get { Fp2(.zero, .zero) }
    }

    static var one: Fp2 {
        @inline(__always) get { Fp2(.one, .zero) }
    }

    @inline(__always)
    static func + (a: Fp2, b: Fp2) -> Fp2 { Fp2(a.re + b.re, a.im + b.im) }

    @inline(__always)
    static func - (a: Fp2, b: Fp2) -> Fp2 { Fp2(a.re - b.re, a.im - b.im) }

    @inline(__always)
    static prefix func - (a: Fp2) -> Fp2 { Fp2(-a.re, -a.im) }

    static func * (a: Fp2, b: Fp2) -> Fp2 {
        Fp2(
            .sumOfProducts(a.re, b.re, -a.im, b.im),
            .sumOfProducts(a.re, b.im, a.im, b.re))
    }

    static func sumOfProducts(_ a: Fp2, _ b: Fp2, _ c: Fp2, _ d: Fp2) -> Fp2 { a * b + c * d }

    static func differenceOfProducts(_ a: Fp2, _ b: Fp2, _ c: Fp2, _ d: Fp2) -> Fp2 { a * b - c * d }

    @inline(__always)
    static func * (a: Fp2, b: Fp) -> Fp2 { Fp2(a.re * b, a.im * b) }

    var squared: Fp2 { Fp2((re + im) * (re - im), (re * im).doubled) }

    /// The p-th power.
    @inline(__always)
    var conjugated: Fp2 { Fp2(re, -im) }

    /// The product with xi = 1 + i, the non-residue on which the tower stands.
    @inline(__always)
    var timesXi: Fp2 { Fp2(re - im, re + im) }

    /// 1 / self; zero for zero.
    var inverse: Fp2 {
        let scale = (re.squared + im.squared).inverse
        return Fp2(re * scale, -(im * scale))
    }

    @inline(__always)
    var zeroMask: UInt64 { re.zeroMask & im.zeroMask }

    @inline(__always)
    static func equalMask(_ a: Fp2, _ b: Fp2) -> UInt64 { Fp.equalMask(a.re, b.re) & Fp.equalMask(a.im, b.im) }

    @inline(__always)
    static func select(_ mask: UInt64, _ a: Fp2, _ b: Fp2) -> Fp2 {
        Fp2(.select(mask, a.re, b.re), .select(mask, a.im, b.im))
    }
}
