// SPDX-License-Identifier: Apache-2.0

/// Why a value was refused or a computation has no result. No case carries secret content.
public enum MPinCryptoError: Error, Equatable, Sendable {
    /// The bytes are not exactly as long as the encoding of this value.
    case wrongLength(of: EncodedValue, expected: Int, actual: Int)
    /// The bytes are no point of the group: wrong prefix, a coordinate not below p, off the curve, outside the
    /// subgroup, or what some implementation writes for infinity.
    case malformedPoint(EncodedValue)
    /// A scalar of one's own is not in 1 ..< r, or a peer's is 0 modulo r.
    case scalarOutOfRange
    /// The result would be the point at infinity, which has no encoding.
    case resultAtInfinity
    /// A day or a timestamp is 0 or not below 2^31: implementations disagree about what such a number hashes to.
    case timeOutOfRange
    /// A PIN is not made of four to six decimal digits.
    case pinNotFourToSixDigits
    /// A signature was asked of, or is to be verified for, an identity that has no public key.
    case identityWithoutPublicKey
    /// The system's random generator failed.
    case randomnessUnavailable
}

/// The kind of value that was being decoded.
public enum EncodedValue: Equatable, Sendable {
    /// A point of G1: 65 bytes, 04, x, y.
    case g1Point
    /// A point of G2: 128 bytes, re(x), im(x), re(y), im(y).
    case g2Point
    /// A number modulo r: 32 bytes.
    case scalar
    /// The SHA-256 digest of an identity: 32 bytes.
    case hashedIdentity
    /// The SHA-256 digest of a document: 32 bytes.
    case documentHash
}
