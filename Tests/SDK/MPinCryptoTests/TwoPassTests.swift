// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

struct TwoPassTests {
    static let alice = MPinIdentity(MPinID(Array("alice@example.com".utf8)))
    static let bob = MPinIdentity(MPinID(Array("bob@example.com".utf8)))

    @Test(arguments: ["1234", "0001", "12345", "99999", "123456", "999999", "000000", "991234"])
    func theRightPINIsAccepted(pin: String) throws {
        let registration = try Registration()
        let token = try registration.token(of: Self.alice, pin: pin)
        #expect(try registration.authenticate(Self.alice, token, pin: pin) == .accepted)
        #expect(try registration.authenticate(Self.alice, token, pin: "4321") == .wrongPIN)
        // All digits of a long PIN count.
        guard let short = pin.count == 6 ? String(pin.suffix(4)) : nil, Int(short) != Int(pin) else { return }
        #expect(try registration.authenticate(Self.alice, token, pin: short) == .wrongPIN)
    }

    @Test
    func anotherIdentityIsRefused() throws {
        let registration = try Registration()
        let token = try registration.token(of: Self.alice, pin: "1234")
        #expect(try registration.authenticate(Self.bob, token, pin: "1234") == .wrongPIN)
        #expect(try registration.authenticate(Self.alice, token, pin: "1234", claimed: Self.bob) == .wrongPIN)
    }

    @Test
    func anotherSystemIsRefused() throws {
        let token = try Registration().token(of: Self.alice, pin: "1234")
        #expect(try Registration().authenticate(Self.alice, token, pin: "1234") == .wrongPIN)
    }

    @Test
    func permits() throws {
        let registration = try Registration()
        let today = try EpochDay(20_000)
        let tomorrow = try EpochDay(20_001)
        let token = try registration.token(of: Self.alice, pin: "1234")
        let permit = try registration.permit(of: Self.alice, on: today)
        let bobs = try registration.permit(of: Self.bob, on: today)
        func verdict(_ permit: TimePermit, on day: EpochDay, pin: String = "1234") throws -> VerificationResult {
            try registration.authenticate(Self.alice, token, pin: pin, permit: permit, day: day)
        }
        #expect(try verdict(permit, on: today) == .accepted)
        #expect(try verdict(permit, on: tomorrow) == .wrongPIN)
        #expect(try verdict(permit, on: today, pin: "1235") == .wrongPIN)
        #expect(try verdict(bobs, on: today) == .wrongPIN)
        // The server decides whether a permit is needed.
        #expect(
            try registration.authenticate(Self.alice, token, pin: "1234", day: today)
                == .malformed(.wrongLength(of: .g1Point, expected: 65, actual: 0)))
        #expect(
            try registration.authenticate(Self.alice, token, pin: "1234", permit: permit)
                == .malformed(.wrongLength(of: .g1Point, expected: 0, actual: 65)))
    }

    @Test
    func designatedVerifier() throws {
        let registration = try Registration()
        let (identity, token) = try registration.keyedToken(of: Self.alice.mpinID, pin: "123456")
        #expect(try registration.authenticate(identity, token, pin: "123456") == .accepted)
        #expect(try registration.authenticate(identity, token, pin: "123457") == .wrongPIN)
        let otherKey = MPinIdentity(identity.mpinID, publicKey: try DVSPrivateKey.random().publicKey)
        #expect(try registration.authenticate(identity, token, pin: "123456", claimed: otherKey) == .wrongPIN)
        #expect(try registration.authenticate(identity, token, pin: "123456", claimed: Self.alice) == .wrongPIN)
    }

    @Test
    func messagesAreChecked() throws {
        let registration = try Registration()
        let token = try registration.token(of: Self.alice, pin: "1234")
        let proof = try TwoPassProof(of: Self.alice, token, pin: "1234")
        let (u, v, challenge) = (proof.commitment, proof.response, proof.challenge)
        func verdict(_ u: [UInt8], _ v: [UInt8], _ challenge: Challenge) -> VerificationResult {
            registration.server.verify(proof.altered(u: u, challenge: challenge, v: v))
        }
        #expect(verdict(u, v, challenge) == .accepted)
        #expect(verdict(u, v, try Challenge.random()) == .wrongPIN)
        #expect(verdict(v, u, challenge) == .wrongPIN)
        #expect(verdict([], v, challenge) == .malformed(.wrongLength(of: .g1Point, expected: 65, actual: 0)))
        #expect(verdict(u, v + [0], challenge) == .malformed(.wrongLength(of: .g1Point, expected: 65, actual: 66)))
        #expect(verdict([2] + u.dropFirst(), v, challenge) == .malformed(.malformedPoint(.g1Point)))

        // U = -y A makes the second pairing infinite. Knowing y in advance must not suffice.
        let point = Self.alice.hashed.point.projective.multiplied(by: -challenge.scalar)
        let forged = [UInt8](try #require(point.affine).encoded)
        #expect(verdict(forged, v, challenge) == .malformed(.resultAtInfinity))
    }

    /// Each part is unchanged after storing and reading.
    @Test
    func encodingsAreFaithful() throws {
        let registration = try Registration()
        let hashed = Self.alice.hashed
        let day = try EpochDay(20_000)
        let clientShare = try registration.issuer1.clientSecretShare(for: hashed)
        let permitShare = try registration.issuer1.timePermitShare(for: hashed, on: day)
        let serverShare = registration.issuer1.serverSecretShare()
        let secret = try registration.secret(of: Self.alice)
        let token = try registration.token(of: Self.alice, pin: "1234")
        let permit = try registration.permit(of: Self.alice, on: day)
        #expect(try clientShare.withBytes { (bytes) throws in try ClientSecretShare(bytes: bytes) } == clientShare)
        #expect(try permitShare.withBytes { (bytes) throws in try TimePermitShare(bytes: bytes) } == permitShare)
        #expect(try serverShare.withBytes { (bytes) throws in try ServerSecretShare(bytes: bytes) } == serverShare)
        #expect(try secret.withBytes { (bytes) throws in try ClientSecret(bytes: bytes) } == secret)
        #expect(try token.withBytes { (bytes) throws in try Token(bytes: bytes) } == token)
        #expect(try permit.withBytes { (bytes) throws in try TimePermit(bytes: bytes, day: day) } == permit)
        #expect(
            try registration.server.withBytes { (bytes) throws in try ServerSecret(bytes: bytes) }
                == registration.server)
        let issuer = try registration.issuer1.withBytes { (bytes) throws in try MasterSecret(bytes: bytes) }
        #expect(issuer.serverSecretShare() == serverShare)
        #expect(try registration.token(of: Self.bob, pin: "1234") != token)
    }
}
