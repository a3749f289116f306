// SPDX-License-Identifier: Apache-2.0

/// The client secret less the PIN's part, a point of G1: what a device stores. Without the PIN it proves nothing,
/// except that the token of an all-zero PIN is the whole client secret: a caller that takes a new PIN must refuse that
/// one. Wiped when the last copy goes; compared in constant time.
public struct Token: Sendable, Equatable {
    let point: Wiped<AffinePoint<G1>>

    /// Takes the PIN out of a client secret: CS - f A, with A the point of the identity.
    /// Throws `resultAtInfinity` in the one case of so many that the result is not a point.
    public init(
        extracting pin: borrowing PinFactor, from secret: ClientSecret, for identity: MPinIdentity
    ) throws(MPinCryptoError) {
        let pinPart = pin.multiple(of: identity.hashed.point)
        guard let rest = (secret.point.value.projective + -pinPart).affine else { throw .resultAtInfinity }
        point = Wiped(rest)
    }

    /// Puts another PIN in the place of the one that a token was made with: T + (f_old A - f_new A), with A the point
    /// of the identity. The client secret itself is not put together on the way. Whether the old PIN is right shows at
    /// the server only: with a wrong one, the new token is one of yet another PIN.
    /// Throws `resultAtInfinity` in the one case of so many that the result is not a point.
    public init(
        changing token: Token, from old: borrowing PinFactor, to new: borrowing PinFactor, for identity: MPinIdentity
    ) throws(MPinCryptoError) {
        let hashed = identity.hashed.point
        let difference = old.multiple(of: hashed) + -new.multiple(of: hashed)
        guard let sum = (token.point.value.projective + difference).affine else { throw .resultAtInfinity }
        point = Wiped(sum)
    }

    /// Reads 65 bytes. Throws `wrongLength` or `malformedPoint`.
    public init(bytes: Span<UInt8>) throws(MPinCryptoError) { point = Wiped(try AffinePoint(decoding: bytes)) }

    /// As `init(bytes:)` on a span. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 65 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }
}

extension Token {
    /// Signs the SHA-256 digest of a document (the 32 bytes, not their hexadecimal form).
    ///
    /// Throws `wrongLength` for another length, `identityWithoutPublicKey`, `randomnessUnavailable`, or
    /// `resultAtInfinity` when token and PIN cancel out. Whether the PIN is right shows at the server only.
    public func sign(
        documentHash: [UInt8], identity: MPinIdentity, pin: borrowing PinFactor, timestamp: Timestamp
    ) throws(MPinCryptoError) -> DocumentSignature {
        try DocumentSignature.check(documentHash: documentHash)
        guard identity.publicKey != nil else { throw .identityWithoutPublicKey }
        let attempt = try AuthenticationAttempt(identity: identity, token: self, pin: pin, permit: nil)
        return try .make(from: attempt, message: documentHash, timestamp: timestamp)
    }
}
