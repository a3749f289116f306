// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// One identity, its token and its server: the cryptography of a login, with messages encoded and decoded as on the
/// wire.
struct LoginExample {
    private let identity: MPinIdentity
    private let token: Token
    private let server: ServerSecret
    private let publicKey: [UInt8]?
    private let commitment: [UInt8]
    private let challenge: Challenge
    private let response: [UInt8]

    private static let pin: [UInt8] = Array("271828".utf8)

    /// - Parameter hasKey: whether the identity has a public key. Those of the classic protocol have none.
    init(hasKey: Bool = true) throws {
        let secret: ClientSecret
        let issuer1 = try MasterSecret.random()
        let issuer2 = try MasterSecret.random()
        server = try ServerSecret(combining: issuer1.serverSecretShare(), issuer2.serverSecretShare())
        let mpinID = MPinID(Array("person@example.com".utf8))
        if hasKey {
            let key = try DVSPrivateKey.random()
            publicKey = key.publicKey.bytes
            identity = MPinIdentity(mpinID, publicKey: key.publicKey)
            secret = try ClientSecret(
                combining: issuer1.clientSecretShare(for: identity.hashed),
                issuer2.clientSecretShare(for: identity.hashed), dvsKey: key)
        } else {
            publicKey = nil
            identity = MPinIdentity(mpinID)
            secret = try ClientSecret(
                combining: issuer1.clientSecretShare(for: identity.hashed),
                issuer2.clientSecretShare(for: identity.hashed))
        }
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

    /// The server's side. It decodes the stored identity and the client's messages, and checks that the public key is
    /// in G2.
    func verify(_ count: Int) throws {
        for _ in 0..<count {
            guard server.verify(try received()) == .accepted else {
                throw BenchmarkError.wrongResult("server verification")
            }
        }
    }

    /// The server's side, with `count` groups of `size`.
    func verifyTogether(_ count: Int, _ size: Int) throws {
        for _ in 0..<count {
            guard server.accepts(all: try (0..<size).map { _ in try received() }) else {
                throw BenchmarkError.wrongResult("server verification of \(size)")
            }
        }
    }

    private func received() throws -> TwoPassProof {
        TwoPassProof(
            identity: try publicKey.map { MPinIdentity(identity.mpinID, publicKey: try DVSPublicKey(bytes: $0)) }
                ?? identity,
            commitment: commitment, ut: nil, day: nil, challenge: try Challenge(bytes: challenge.bytes),
            response: response)
    }
}
