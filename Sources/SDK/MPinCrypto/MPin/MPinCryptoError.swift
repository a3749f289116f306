// SPDX-License-Identifier: Apache-2.0

/// The reason why a value was refused or a computation has no result. No case carries secret content.
public enum MPinCryptoError: Error, Equatable, Sendable {
    /// The bytes are not exactly as long as the encoding of this value.
    case wrongLength(of: EncodedValue, expected: Int, actual: Int)
    /// The bytes are not a point of the group: wrong prefix, a coordinate not below p, off the curve, outside the
    /// subgroup, or an encoding of infinity.
    case malformedPoint(EncodedValue)
    /// The caller's own scalar is not in 1 ..< r, or a peer's is 0 modulo r.
    case scalarOutOfRange
    /// The result would be the point at infinity, which has no encoding.
    case resultAtInfinity
    /// A day or timestamp is 0 or not below 2^31. Implementations hash such numbers differently.
    case timeOutOfRange
    /// A PIN is not made of four to six decimal digits.
    case pinNotFourToSixDigits
    /// The identity of a signature has no public key.
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
