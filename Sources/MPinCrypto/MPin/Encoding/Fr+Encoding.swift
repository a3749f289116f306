// SPDX-License-Identifier: Apache-2.0

extension Fr {
    static var encodedLength: Int { 32 }

    /// Decodes a scalar of one's own: 32 bytes, big-endian, in 1 ..< r.
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
