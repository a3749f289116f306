// SPDX-License-Identifier: Apache-2.0

/// The client secret minus the PIN's part, a point of G1, which a device stores. Without the PIN it proves nothing,
/// with one exception: the token of an all-zero PIN is the whole client secret, so a caller that takes a new PIN must
/// refuse zeros. Wiped when the last copy goes; compared in constant time.
public struct Token: Sendable, Equatable {
    let point: Wiped<AffinePoint<G1>>

    /// Takes the PIN out of a client secret: CS - f A, with A the point of the identity.
    ///
    /// - Parameters:
    ///   - pin: the factor of the new PIN; that of zeros takes nothing out.
    ///   - secret: the client secret of this identity.
    ///   - identity: the identity with the key that the secret was made with, if it has one.
    /// - Throws: ``MPinCryptoError/resultAtInfinity`` if the result is not a point, which practically never happens.
    public init(
        extracting pin: borrowing PinFactor, from secret: ClientSecret, for identity: MPinIdentity
    ) throws(MPinCryptoError) {
        let pinPart = pin.multiple(of: identity.hashed.point)
        guard let rest = (secret.point.value.projective + -pinPart).affine else { throw .resultAtInfinity }
        point = Wiped(rest)
    }

    /// Replaces the PIN of a token: T + (f_old A - f_new A), with A the point of the identity. The client secret is
    /// not reconstructed on the way. Only the server finds out whether the old PIN is right: with a wrong one, the new
    /// token belongs to a third PIN.
    ///
    /// - Parameters:
    ///   - token: the stored token.
    ///   - old: the factor of the PIN that the token belongs to.
    ///   - new: the factor of the new PIN; that of zeros makes the token the whole client secret.
    ///   - identity: the identity that the token was made for.
    /// - Throws: ``MPinCryptoError/resultAtInfinity`` if the result is not a point, which practically never happens.
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

    /// Reads 65 bytes. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 65 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }
}

extension Token {
    /// Signs the SHA-256 digest of a document. Only the server finds out whether the PIN is right.
    ///
    /// - Parameters:
    ///   - documentHash: the 32 bytes of the digest, not their hexadecimal form.
    ///   - identity: the signer, with a public key.
    ///   - pin: the factor of the typed PIN.
    ///   - timestamp: the time of signing, which becomes part of what is signed.
    /// - Throws: ``MPinCryptoError/wrongLength(of:expected:actual:)`` for another length,
    ///   ``MPinCryptoError/identityWithoutPublicKey``, ``MPinCryptoError/randomnessUnavailable``;
    ///   ``MPinCryptoError/resultAtInfinity`` when token and PIN cancel out.
    public func sign(
        documentHash: [UInt8], identity: MPinIdentity, pin: borrowing PinFactor, timestamp: Timestamp
    ) throws(MPinCryptoError) -> DocumentSignature {
        try DocumentSignature.check(documentHash: documentHash)
        guard identity.publicKey != nil else { throw .identityWithoutPublicKey }
        let attempt = try AuthenticationAttempt(identity: identity, token: self, pin: pin, permit: nil)
        return try .make(from: attempt, message: documentHash, timestamp: timestamp)
    }
}
