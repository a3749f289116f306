// SPDX-License-Identifier: Apache-2.0

/// Pass 1 of one proof, made before the PIN is there, for nothing in it depends on the PIN: while the person types,
/// its multiples are done.
///
/// It holds the one-time x. An attacker who got that and saw pass 2 could compute the client secret, so that x is wiped
/// with this, which becomes one attempt at most.
public struct PreparedAttempt: ~Copyable, Sendable {
    private let x: Wiped<Fr>
    private let point: AffinePoint<G1>
    private let permit: TimePermit?

    /// Whose proof it will be.
    public let identity: MPinIdentity
    /// What pass 1 sends.
    public let commitment: Pass1Commitment

    /// Pass 1, with a fresh random x.
    ///
    /// Throws `randomnessUnavailable`, or `resultAtInfinity` where the points of identity and day cancel out.
    public init(identity: MPinIdentity, permit: TimePermit?) throws(MPinCryptoError) {
        try self.init(identity: identity, permit: permit, x: .random())
    }

    /// Pass 1 with a given x. For known answers only; an x must never be used twice.
    init(identity: MPinIdentity, permit: TimePermit?, x: Wiped<Fr>) throws(MPinCryptoError) {
        let hashed = identity.hashed
        point = hashed.point
        var base = point.projective
        guard let u = base.multiplied(by: x.value).affine else { throw .resultAtInfinity }
        var ut: [UInt8]?
        if let permit {
            base = base + hashed.point(on: permit.day).projective
            guard let multiple = base.multiplied(by: x.value).affine else { throw .resultAtInfinity }
            ut = [UInt8](multiple.encoded)
        }
        self.x = x
        self.permit = permit
        self.identity = identity
        commitment = Pass1Commitment(u: [UInt8](u.encoded), ut: ut)
    }

    /// Puts the client secret together again. Whether the PIN is right shows at the server only.
    ///
    /// - Parameter token: of the same identity.
    ///
    /// Throws `resultAtInfinity` when token, PIN and permit cancel out.
    public consuming func completed(
        token: Token, pin: borrowing PinFactor
    ) throws(MPinCryptoError) -> AuthenticationAttempt {
        var sum = token.point.value.projective + pin.multiple(of: point)
        if let permit { sum = sum + permit.point.value.projective }
        guard let s = sum.affine else { throw .resultAtInfinity }
        return AuthenticationAttempt(x: x, s: Wiped(s), commitment: commitment)
    }
}
