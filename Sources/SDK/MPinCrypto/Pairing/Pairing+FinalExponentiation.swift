// SPDX-License-Identifier: Apache-2.0

extension Pairing {
    /// f to the power (p^12 - 1) / r = (p^6 - 1) (p^2 + 1) * (p^4 - p^2 + 1) / r.
    static func finalExponentiation(_ f: Fp12) -> Fp12 {
        let easy = f.conjugated * f.inverse
        return hardPart(easy.frobenius.frobenius * easy)
    }

    /// The power (p^4 - p^2 + 1) / r = l0 + l1 p + l2 p^2 + p^3 (Scott and others, 2009), with
    /// l0 = -36x^3 - 30x^2 - 18x - 2, l1 = -36x^3 - 18x^2 - 12x + 1, l2 = 6x^2 + 1.
    private static func hardPart(_ f: Fp12) -> Fp12 {
        let fx = f.toTheX
        let fxx = fx.toTheX
        let fxxx = fxx.toTheX
        let fp = f.frobenius
        let fpp = fp.frobenius
        let fxxp = fxx.frobenius

        // The result is y0 * y1^2 * y2^6 * y3^12 * y4^18 * y5^30 * y6^36. Conjugates are inverses here.
        let y0 = fp * fpp * fpp.frobenius
        let y1 = f.conjugated
        let y2 = fxxp.frobenius
        let y3 = fx.frobenius.conjugated
        let y4 = (fx * fxxp).conjugated
        let y5 = fxx.conjugated
        let y6 = (fxxx * fxxx.frobenius).conjugated

        let a = y6.cyclotomicSquared * y4 * y5  // y4 y5 y6^2
        let b = a * y3 * y5  // y3 y4 y5^2 y6^2
        let c = (b.cyclotomicSquared * a * y2).cyclotomicSquared  // y2^2 y3^4 y4^6 y5^10 y6^12
        return (c * y1).cyclotomicSquared * c * y0
    }
}
