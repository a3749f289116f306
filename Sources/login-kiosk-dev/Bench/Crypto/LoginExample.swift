// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// One identity with a public key, its token and its server: the cryptography of a login, with what goes over the wire
/// as bytes on both sides.
struct LoginExample {
    private let identity: MPinIdentity
    private let token: Token
    private let server: ServerSecret
    private let publicKey: [UInt8]
    private let commitment: [UInt8]
    private let challenge: Challenge
    private let response: [UInt8]

    private static let pin: [UInt8] = Array("271828".utf8)

    init() throws {
        let issuer1 = try MasterSecret.random()
        let issuer2 = try MasterSecret.random()
        server = try ServerSecret(combining: issuer1.serverSecretShare(), issuer2.serverSecretShare())
        let key = try DVSPrivateKey.random()
        publicKey = key.publicKey.bytes
        identity = MPinIdentity(MPinID(Array("person@example.com".utf8)), publicKey: key.publicKey)
        let secret = try ClientSecret(
            combining: issuer1.clientSecretShare(for: identity.hashed),
            issuer2.clientSecretShare(for: identity.hashed), dvsKey: key)
        token = try Token(extracting: PinFactor(digits: Self.pin.span), from: secret, for: identity)

        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: PinFactor(digits: Self.pin.span), permit: nil)
        commitment = attempt.commitment.u
        challenge = try .random()
        response = try attempt.respond(to: challenge)
    }

    /// The client's side: from token and PIN to U, from the challenge to V.
    func prove(_ count: Int) throws {
        for _ in 0..<count {
            let attempt = try AuthenticationAttempt(
                identity: identity, token: token, pin: PinFactor(digits: Self.pin.span), permit: nil)
            let response = try attempt.respond(to: Challenge(bytes: challenge.bytes))
            guard response.count == 65 else { throw BenchmarkError.wrongResult("pass 1 + pass 2") }
        }
    }

    /// The server's side: all that a stored identity and the client's messages are made of is decoded, with the test
    /// that the public key is in G2.
    func verify(_ count: Int) throws {
        for _ in 0..<count {
            let identity = MPinIdentity(identity.mpinID, publicKey: try DVSPublicKey(bytes: publicKey))
            let result = try server.verify(
                identity: identity, commitment: commitment, ut: nil, day: nil,
                challenge: Challenge(bytes: challenge.bytes), response: response)
            guard result == .accepted else { throw BenchmarkError.wrongResult("server verification") }
        }
    }
}
