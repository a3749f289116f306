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
        // The addition formulas for a = 0 work on y^2 = x^3 + anything. Without this check a peer could move the
        // computation to a curve with points of small order and learn the secret.
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

extension Fr {
    static var encodedLength: Int { 32 }

    /// Decodes the caller's own scalar: 32 bytes, big-endian, in 1 ..< r.
    init(decodingOwn bytes: borrowing Span<UInt8>) throws(MPinCryptoError) {
        try Fr.checkLength(bytes.count)
        guard let scalar = Fr(canonical: Limbs(bigEndian: bytes)), !scalar.isZero else { throw .scalarOutOfRange }
        self = scalar
    }

    /// Decodes a scalar that a peer chose: 32 bytes, big-endian, reduced modulo r.
    init(decodingPeer bytes: borrowing Span<UInt8>) throws(MPinCryptoError) {
        try Fr.checkLength(bytes.count)
        self.init(reducing: Limbs(bigEndian: bytes))
    }

    private static func checkLength(_ length: Int) throws(MPinCryptoError) {
        guard length == encodedLength else {
            throw .wrongLength(of: .scalar, expected: encodedLength, actual: length)
        }
    }

    /// 32 bytes, big-endian.
    var encoded: InlineArray<32, UInt8> {
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        canonical.write(to: &span, at: 0)
        return bytes
    }
}

extension Array<UInt8> {
    /// The bytes of an encoding that is not secret.
    init<let size: Int>(_ encoding: InlineArray<size, UInt8>) {
        self = encoding.indices.map { encoding[$0] }
    }
}
