// SPDX-License-Identifier: Apache-2.0

/// The client's side of one proof: made by pass 1 and the PIN, consumed by pass 2. It holds the one-time x and the
/// client secret put together again; two responses with one x would give the secret away, which is why there can be
/// only one.
public struct AuthenticationAttempt: ~Copyable, Sendable {
    private let x: Wiped<Fr>
    private let s: Wiped<AffinePoint<G1>>

    /// What pass 1 sends.
    public let commitment: Pass1Commitment

    /// Pass 1 and the client secret in one step, with a fresh random x: what ``PreparedAttempt`` does in two. Whether
    /// the PIN is right shows at the server only.
    ///
    /// Throws `randomnessUnavailable`, or `resultAtInfinity` when token, PIN and permit cancel out.
    public init(
        identity: MPinIdentity, token: Token, pin: borrowing PinFactor, permit: TimePermit?
    ) throws(MPinCryptoError) {
        self = try PreparedAttempt(identity: identity, permit: permit).completed(token: token, pin: pin)
    }

    /// The same with a given x: 32 bytes, 1 ..< r. For known answers only; an x must never be used twice.
    package init(
        identity: MPinIdentity, token: Token, pin: borrowing PinFactor, permit: TimePermit?, ephemeral: [UInt8]
    ) throws(MPinCryptoError) {
        let x = Wiped(try Fr(decodingOwn: ephemeral.span))
        self = try PreparedAttempt(identity: identity, permit: permit, x: x).completed(token: token, pin: pin)
    }

    init(x: Wiped<Fr>, s: Wiped<AffinePoint<G1>>, commitment: Pass1Commitment) {
        self.x = x
        self.s = s
        self.commitment = commitment
    }

    /// Pass 2: V = -(x + y) S, 65 bytes.
    ///
    /// Throws `resultAtInfinity` in the one case of so many that x + y = 0 modulo r; start again with pass 1 then.
    public consuming func respond(to challenge: Challenge) throws(MPinCryptoError) -> [UInt8] {
        let factor = -(x.value + challenge.scalar)
        guard let v = s.value.projective.multiplied(by: factor).affine else { throw .resultAtInfinity }
        return [UInt8](v.encoded)
    }

    /// Lends S, the client secret put together again (with the permit, if there is one). For known answers only.
    package borrowing func withCombinedSecret<R>(_ body: (Span<UInt8>) -> R) -> R { s.withEncoding(body) }
}

/// What the client sends first.
public struct Pass1Commitment: Hashable, Sendable {
    /// U = x A: 65 bytes.
    public let u: [UInt8]
    /// UT = x (A + AT): 65 bytes; nil without a time permit.
    public let ut: [UInt8]?
}
