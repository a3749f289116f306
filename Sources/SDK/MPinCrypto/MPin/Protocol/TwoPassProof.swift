// SPDX-License-Identifier: Apache-2.0

/// The values that a server received in both passes of a login.
public struct TwoPassProof: Sendable {
    /// The identity that the client claims.
    public let identity: MPinIdentity
    /// U, 65 bytes. The server must have received it before it drew the challenge.
    public let commitment: [UInt8]
    /// UT, 65 bytes; nil without a time permit.
    public let ut: [UInt8]?
    /// The day for which a permit is required; nil if none is. `ut` and `day` come together.
    public let day: EpochDay?
    /// The challenge y, which the server drew for this commitment.
    public let challenge: Challenge
    /// V, 65 bytes.
    public let response: [UInt8]

    /// Takes both passes as received. ``ServerSecret/verify(_:)`` checks them.
    ///
    /// - Parameters:
    ///   - identity: the identity that the client claims.
    ///   - u: the commitment, a point of G1, 65 bytes: 04, x, y, big-endian.
    ///   - ut: the commitment with a time permit, a point of G1, 65 bytes; nil without one.
    ///   - day: the day for which a permit is required; nil if none is.
    ///   - challenge: the challenge that the server drew for this commitment.
    ///   - v: the response, a point of G1, 65 bytes.
    public init(
        identity: MPinIdentity, commitment u: [UInt8], ut: [UInt8]?, day: EpochDay?, challenge: Challenge,
        response v: [UInt8]
    ) {
        self.identity = identity
        commitment = u
        self.ut = ut
        self.day = day
        self.challenge = challenge
        response = v
    }
}
