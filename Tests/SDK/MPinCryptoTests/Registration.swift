// SPDX-License-Identifier: Apache-2.0

@testable import MPinCrypto

/// Two issuers, their server, and their shares for one identity.
struct Registration: ~Copyable {
    let issuer1: MasterSecret
    let issuer2: MasterSecret
    let server: ServerSecret

    init() throws {
        let issuer1 = try MasterSecret.random()
        let issuer2 = try MasterSecret.random()
        server = try ServerSecret(combining: issuer1.serverSecretShare(), issuer2.serverSecretShare())
        self.issuer1 = issuer1
        self.issuer2 = issuer2
    }

    func secret(of identity: MPinIdentity) throws -> ClientSecret {
        try ClientSecret(
            combining: issuer1.clientSecretShare(for: identity.hashed),
            issuer2.clientSecretShare(for: identity.hashed))
    }

    func token(of identity: MPinIdentity, pin: String) throws -> Token {
        try Token(extracting: PinFactor(pin), from: secret(of: identity), for: identity)
    }

    func permit(of identity: MPinIdentity, on day: EpochDay) throws -> TimePermit {
        try TimePermit(
            combining: issuer1.timePermitShare(for: identity.hashed, on: day),
            issuer2.timePermitShare(for: identity.hashed, on: day), day: day)
    }

    /// A new key, its identity, and the token.
    func keyedToken(of mpinID: MPinID, pin: String) throws -> (MPinIdentity, Token) {
        let key = try DVSPrivateKey.random()
        let identity = MPinIdentity(mpinID, publicKey: key.publicKey)
        let secret = try ClientSecret(
            combining: issuer1.clientSecretShare(for: identity.hashed),
            issuer2.clientSecretShare(for: identity.hashed), dvsKey: key)
        return (identity, try Token(extracting: PinFactor(pin), from: secret, for: identity))
    }

    /// One whole two-pass authentication. The server assumes the identity `claimed`, or the client's own.
    func authenticate(
        _ identity: MPinIdentity, _ token: Token, pin: String, permit: TimePermit? = nil, day: EpochDay? = nil,
        claimed: MPinIdentity? = nil
    ) throws -> VerificationResult {
        let proof = try TwoPassProof(of: identity, token, pin: pin, permit: permit)
        return server.verify(proof.altered(identity: claimed, day: .some(day)))
    }
}

extension TwoPassProof {
    /// Both passes of a client.
    init(of identity: MPinIdentity, _ token: Token, pin: String, permit: TimePermit? = nil) throws {
        let attempt = try AuthenticationAttempt(identity: identity, token: token, pin: PinFactor(pin), permit: permit)
        let commitment = attempt.commitment
        let challenge = try Challenge.random()
        self.init(
            identity: identity, commitment: commitment.u, ut: commitment.ut, day: permit?.day, challenge: challenge,
            response: try attempt.respond(to: challenge))
    }

    /// The proof with other values in place of some.
    func altered(
        identity: MPinIdentity? = nil, u: [UInt8]? = nil, ut: [UInt8]?? = nil, day: EpochDay?? = nil,
        challenge: Challenge? = nil, v: [UInt8]? = nil
    ) -> TwoPassProof {
        TwoPassProof(
            identity: identity ?? self.identity, commitment: u ?? commitment, ut: ut ?? self.ut, day: day ?? self.day,
            challenge: challenge ?? self.challenge, response: v ?? response)
    }
}

extension PinFactor {
    init(_ pin: String) throws(MPinCryptoError) {
        let digits = Array(pin.utf8)
        try self.init(digits: digits.span)
    }
}
