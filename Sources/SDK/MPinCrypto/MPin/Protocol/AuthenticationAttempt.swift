// SPDX-License-Identifier: Apache-2.0

/// The client's side of one proof: made by pass 1 and the PIN, consumed by pass 2. It holds the one-time x and the
/// reconstructed client secret. Two responses with one x would reveal the secret, so the type permits only one.
public struct AuthenticationAttempt: ~Copyable, Sendable {
    private let x: Wiped<Fr>
    private let s: Wiped<AffinePoint<G1>>

    /// The message of pass 1.
    public let commitment: Pass1Commitment

    /// Performs pass 1 with a fresh random x and reconstructs the client secret. Only the server finds out whether the
    /// PIN is right.
    ///
    /// - Parameters:
    ///   - identity: the identity that the token was made for.
    ///   - token: the stored token.
    ///   - pin: the factor of the typed PIN.
    ///   - permit: the permission for one day; nil if the server requires none.
    /// - Throws: ``MPinCryptoError/randomnessUnavailable``; ``MPinCryptoError/resultAtInfinity`` when token, PIN and
    ///   permit cancel out.
    public init(
        identity: MPinIdentity, token: Token, pin: borrowing PinFactor, permit: TimePermit?
    ) throws(MPinCryptoError) {
        try self.init(identity: identity, token: token, pin: pin, permit: permit, x: .random())
    }

    /// Performs pass 1 with a given x: 32 bytes, 1 ..< r. For known answers only; an x must never be used twice.
    package init(
        identity: MPinIdentity, token: Token, pin: borrowing PinFactor, permit: TimePermit?, ephemeral: [UInt8]
    ) throws(MPinCryptoError) {
        try self.init(
            identity: identity, token: token, pin: pin, permit: permit, x: Wiped(Fr(decodingOwn: ephemeral.span)))
    }

    private init(
        identity: MPinIdentity, token: Token, pin: borrowing PinFactor, permit: TimePermit?, x: Wiped<Fr>
    ) throws(MPinCryptoError) {
        let hashed = identity.hashed
        let point = hashed.point
        var base = point.projective
        var sum = token.point.value.projective + pin.multiple(of: point)
        guard let u = base.multiplied(by: x.value).affine else { throw .resultAtInfinity }
        var ut: [UInt8]?
        if let permit {
            sum = sum + permit.point.value.projective
            base = base + hashed.point(on: permit.day).projective
            guard let multiple = base.multiplied(by: x.value).affine else { throw .resultAtInfinity }
            ut = [UInt8](multiple.encoded)
        }
        guard let s = sum.affine else { throw .resultAtInfinity }
        self.x = x
        self.s = Wiped(s)
        commitment = Pass1Commitment(u: [UInt8](u.encoded), ut: ut)
    }

    /// Pass 2: V = -(x + y) S, 65 bytes.
    ///
    /// Throws `resultAtInfinity` if x + y = 0 modulo r, which practically never happens; start again with pass 1 then.
    public consuming func respond(to challenge: Challenge) throws(MPinCryptoError) -> [UInt8] {
        let factor = -(x.value + challenge.scalar)
        guard let v = s.value.projective.multiplied(by: factor).affine else { throw .resultAtInfinity }
        return [UInt8](v.encoded)
    }

    /// Lends S, the reconstructed client secret (with the permit, if there is one). For known answers only.
    package borrowing func withCombinedSecret<R>(_ body: (Span<UInt8>) -> R) -> R { s.withEncoding(body) }
}

/// The client's first message.
public struct Pass1Commitment: Hashable, Sendable {
    /// U = x A: 65 bytes.
    public let u: [UInt8]
    /// UT = x (A + AT): 65 bytes; nil without a time permit.
    public let ut: [UInt8]?
}
