// SPDX-License-Identifier: Apache-2.0

extension AffinePoint<G1> {
    static var encodedLength: Int { 65 }

    /// Decodes 04, x, y. Refuses another length or prefix, a coordinate that is not below p, and a point off the curve;
    /// infinity has no encoding.
    init(decoding bytes: borrowing Span<UInt8>) throws(MPinCryptoError) {
        guard bytes.count == Self.encodedLength else {
            throw .wrongLength(of: .g1Point, expected: Self.encodedLength, actual: bytes.count)
        }
        guard revealed(maskIfEqual(UInt64(bytes[0]), 4)), let x = Fp(canonical: Limbs(bigEndian: bytes, at: 1)),
            let y = Fp(canonical: Limbs(bigEndian: bytes, at: 33))
        else { throw .malformedPoint(.g1Point) }
        self.init(x: x, y: y)
        // The addition formulas for a = 0 would work on y^2 = x^3 + anything: without this check a peer could move the
        // computation to a curve with points of small order and read the secret off.
        guard isOnCurve else { throw .malformedPoint(.g1Point) }
    }

    /// 04, x, y.
    var encoded: InlineArray<65, UInt8> {
        var bytes = InlineArray<65, UInt8>(repeating: 4)
        var span = bytes.mutableSpan
        x.canonical.write(to: &span, at: 1)
        y.canonical.write(to: &span, at: 33)
        return bytes
    }
}
