// SPDX-License-Identifier: Apache-2.0

extension Fp12 {
    /// 384 bytes: the coefficients of w^0, w^3, w^1, w^4, w^2, w^5, each the real and then the imaginary part (the
    /// order that comes of writing Fp12 as a cubic extension of Fp4).
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
