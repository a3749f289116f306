// SPDX-License-Identifier: Apache-2.0

/// A proof in one message: the client derives the challenge from the time and its own commitment. The verifier must
/// bound the age of the timestamp and refuse a second use; the arithmetic does neither.
public struct OnePassProof: Hashable, Sendable {
    /// U, 65 bytes.
    public let u: [UInt8]
    /// UT, 65 bytes; nil without a time permit.
    public let ut: [UInt8]?
    /// V, 65 bytes.
    public let v: [UInt8]
    /// The time of the proof by the client's clock.
    public let timestamp: Timestamp

    /// Takes a proof as received. ``ServerSecret/verify(onePass:identity:day:)`` checks it.
    ///
    /// - Parameters:
    ///   - u: a point of G1, 65 bytes: 04, x, y, big-endian.
    ///   - ut: a point of G1, 65 bytes; nil without a time permit.
    ///   - v: a point of G1, 65 bytes.
    ///   - timestamp: the time of the proof by the client's clock.
    public init(u: [UInt8], ut: [UInt8]?, v: [UInt8], timestamp: Timestamp) {
        self.u = u
        self.ut = ut
        self.v = v
        self.timestamp = timestamp
    }

    /// Makes a proof. Only the server finds out whether the PIN is right.
    ///
    /// - Parameters:
    ///   - identity: the identity that the token was made for.
    ///   - token: the stored token.
    ///   - pin: the factor of the typed PIN.
    ///   - permit: the permission for one day; nil if the server requires none.
    ///   - timestamp: the time by the client's clock.
    /// - Throws: ``MPinCryptoError/randomnessUnavailable``; ``MPinCryptoError/resultAtInfinity`` when token, PIN and
    ///   permit cancel out.
    public static func make(
        identity: MPinIdentity, token: Token, pin: borrowing PinFactor, permit: TimePermit?, timestamp: Timestamp
    ) throws(MPinCryptoError) -> OnePassProof {
        try make(
            from: AuthenticationAttempt(identity: identity, token: token, pin: pin, permit: permit),
            timestamp: timestamp)
    }

    /// Answers the challenge that follows from the attempt itself.
    package static func make(
        from attempt: consuming AuthenticationAttempt, timestamp: Timestamp
    ) throws(MPinCryptoError) -> OnePassProof {
        let commitment = attempt.commitment
        let challenge = try Challenge(time: timestamp, commitment: commitment.ut ?? commitment.u, message: [])
        let v = try attempt.respond(to: challenge)
        return OnePassProof(u: commitment.u, ut: commitment.ut, v: v, timestamp: timestamp)
    }
}
