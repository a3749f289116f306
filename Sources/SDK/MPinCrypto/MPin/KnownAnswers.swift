// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The arithmetic on encoded values, so that another module of this package can compare it with known answers.
/// A nil result is the point at infinity.
package enum KnownAnswers {
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Digest.sha256(bytes) }

    package static func sha256(prefix number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        Digest.sha256(prefix: number, bytes)
    }

    /// The point of G1 that 32 bytes are mapped to, and the number of increments.
    package static func map(_ bytes: [UInt8]) throws(MPinCryptoError) -> (point: [UInt8], increments: Int) {
        let hash = try HashedIdentity(bytes: bytes).bytes
        let (point, increments) = AffinePoint<G1>.mappingWithIncrements(hash.span)
        return ([UInt8](point.encoded), increments)
    }

    /// 32 bytes modulo p.
    package static func reducedModuloP(_ bytes: [UInt8]) throws(MPinCryptoError) -> [UInt8] {
        let hash = try HashedIdentity(bytes: bytes).bytes
        let reduced = Fp(reducing: Limbs(bigEndian: hash.span)).canonical
        var encoded = InlineArray<32, UInt8>(repeating: 0)
        var span = encoded.mutableSpan
        reduced.write(to: &span, at: 0)
        return [UInt8](encoded)
    }

    /// 32 bytes modulo r.
    package static func reducedModuloR(_ bytes: [UInt8]) throws(MPinCryptoError) -> [UInt8] {
        [UInt8](try Fr(decodingPeer: bytes.span).encoded)
    }

    package static func checkG1(_ point: [UInt8]) throws(MPinCryptoError) { _ = try g1(point) }

    package static func checkG2(_ point: [UInt8]) throws(MPinCryptoError) { _ = try g2(point) }

    package static func addG1(_ a: [UInt8], _ b: [UInt8]) throws(MPinCryptoError) -> [UInt8]? {
        encoded(try g1(a).projective + g1(b).projective)
    }

    package static func addG2(_ a: [UInt8], _ b: [UInt8]) throws(MPinCryptoError) -> [UInt8]? {
        encoded(try g2(a).projective + g2(b).projective)
    }

    package static func multiplyG1(_ point: [UInt8], by scalar: [UInt8]) throws(MPinCryptoError) -> [UInt8]? {
        encoded(try g1(point).projective.multiplied(by: Fr(decodingPeer: scalar.span)))
    }

    package static func multiplyG2(_ point: [UInt8], by scalar: [UInt8]) throws(MPinCryptoError) -> [UInt8]? {
        encoded(try g2(point).projective.multiplied(by: Fr(decodingPeer: scalar.span)))
    }

    /// The 384 bytes of e(p, q).
    package static func pairing(_ p: [UInt8], _ q: [UInt8]) throws(MPinCryptoError) -> [UInt8] {
        Pairing.value(try g1(p), try g2(q)).encoded
    }

    /// Whether the product of all e(p, q) is 1. Two pairs are multiplied in every available way.
    package static func productIsOne(_ pairs: [(p: [UInt8], q: [UInt8])]) throws(MPinCryptoError) -> Bool {
        var product = Fp12.one
        for pair in pairs { product = product * Pairing.value(try g1(pair.p), try g2(pair.q)) }
        guard pairs.count == 2 else { return product == .one }
        let (p1, q1) = (try g1(pairs[0].p), try g2(pairs[0].q))
        let (p2, q2) = (try g1(pairs[1].p), try g2(pairs[1].q))
        let plain = Pairing.product(PlainPair(p1, q1), PlainPair(p2, q2))
        let mixed = Pairing.product(PlainPair(p1, q1), PreparedPair(p2, PreparedPoint(q2)))
        let prepared = Pairing.product(PreparedPair(p1, PreparedPoint(q1)), PreparedPair(p2, PreparedPoint(q2)))
        return product == .one && plain == .one && mixed == .one && prepared == .one
    }

    private static func g1(_ bytes: [UInt8]) throws(MPinCryptoError) -> AffinePoint<G1> {
        try AffinePoint(decoding: bytes.span)
    }

    private static func g2(_ bytes: [UInt8]) throws(MPinCryptoError) -> AffinePoint<G2> {
        try AffinePoint(decoding: bytes.span)
    }

    private static func encoded(_ point: ProjectivePoint<G1>) -> [UInt8]? {
        point.affine.map { [UInt8]($0.encoded) }
    }

    private static func encoded(_ point: ProjectivePoint<G2>) -> [UInt8]? {
        point.affine.map { [UInt8]($0.encoded) }
    }
}
