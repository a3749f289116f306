// SPDX-License-Identifier: Apache-2.0

extension AffinePoint<G2> {
    static var encodedLength: Int { 128 }

    /// Decodes re(x), im(x), re(y), im(y). Refuses another length, a number that is not below p, and a point off the
    /// twist or outside the subgroup of order r; infinity has no encoding.
    init(decoding bytes: borrowing Span<UInt8>) throws(MPinCryptoError) {
        guard bytes.count == Self.encodedLength else {
            throw .wrongLength(of: .g2Point, expected: Self.encodedLength, actual: bytes.count)
        }
        guard let xRe = Fp(canonical: Limbs(bigEndian: bytes, at: 0)),
            let xIm = Fp(canonical: Limbs(bigEndian: bytes, at: 32)),
            let yRe = Fp(canonical: Limbs(bigEndian: bytes, at: 64)),
            let yIm = Fp(canonical: Limbs(bigEndian: bytes, at: 96))
        else { throw .malformedPoint(.g2Point) }
        self.init(x: Fp2(xRe, xIm), y: Fp2(yRe, yIm))
        guard isOnCurve, isInSubgroup else { throw .malformedPoint(.g2Point) }
    }

    /// re(x), im(x), re(y), im(y).
    var encoded: InlineArray<128, UInt8> {
        var bytes = InlineArray<128, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        x.re.canonical.write(to: &span, at: 0)
        x.im.canonical.write(to: &span, at: 32)
        y.re.canonical.write(to: &span, at: 64)
        y.im.canonical.write(to: &span, at: 96)
        return bytes
    }
}
