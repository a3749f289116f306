// SPDX-License-Identifier: Apache-2.0

/// Fp6[w] with w^2 = v: c0 + c1 * w. The type of the pairing's values.
///
/// As a polynomial in w over Fp2, where w^6 = xi, the coefficients of w^0 ... w^5 are c0.c0, c1.c0, c0.c1, c1.c1,
/// c0.c2, c1.c2.
struct Fp12: Sendable, ConstantTimeEquatable, BitwiseCopyable {
    var c0, c1: Fp6

    @inline(__always)
    init(_ c0: Fp6, _ c1: Fp6) {
        self.c0 = c0
        self.c1 = c1
    }

    static var one: Fp12 { Fp12(.one, .zero) }

    static func equalMask(_ a: Fp12, _ b: Fp12) -> UInt64 { Fp6.equalMask(a.c0, b.c0) & Fp6.equalMask(a.c1, b.c1) }

    static func * (a: Fp12, b: Fp12) -> Fp12 {
        let d0 = a.c0 * b.c0
        let d1 = a.c1 * b.c1
        return Fp12(d0 + d1.timesV, (a.c0 + a.c1) * (b.c0 + b.c1) - d0 - d1)
    }

    var squared: Fp12 {
        let cross = c0 * c1
        return Fp12((c0 + c1) * (c0 + c1.timesV) - cross - cross.timesV, cross + cross)
    }

    /// The p^6-th power; the inverse in the cyclotomic subgroup.
    @inline(__always)
    var conjugated: Fp12 { Fp12(c0, -c1) }

    /// 1 / self.
    var inverse: Fp12 {
        let scale = (c0 * c0 - (c1 * c1).timesV).inverse
        return Fp12(c0 * scale, -(c1 * scale))
    }
}

extension Fp12 {
    /// 384 bytes: the coefficients of w^0, w^3, w^1, w^4, w^2, w^5, each the real and then the imaginary part (the
    /// order of Fp12 as a cubic extension of Fp4).
    var encoded: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 384)
        var span = bytes.mutableSpan
        for (index, coefficient) in [c0.c0, c1.c1, c1.c0, c0.c2, c0.c1, c1.c2].enumerated() {
            coefficient.re.canonical.write(to: &span, at: 64 * index)
            coefficient.im.canonical.write(to: &span, at: 64 * index + 32)
        }
        return bytes
    }
}
