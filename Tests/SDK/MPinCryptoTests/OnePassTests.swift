// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

struct OnePassTests {
    static let alice = MPinIdentity(MPinID(Array("alice@example.com".utf8)))

    @Test
    func withoutPermit() throws {
        let registration = try Registration()
        let token = try registration.token(of: Self.alice, pin: "1234")
        let time = try Timestamp(1_700_000_000)
        let proof = try OnePassProof.make(
            identity: Self.alice, token: token, pin: PinFactor("1234"), permit: nil, timestamp: time)
        #expect(proof.ut == nil)
        #expect(registration.server.verify(onePass: proof, identity: Self.alice, day: nil) == .accepted)

        let later = OnePassProof(u: proof.u, ut: nil, v: proof.v, timestamp: try Timestamp(1_700_000_001))
        #expect(registration.server.verify(onePass: later, identity: Self.alice, day: nil) == .wrongPIN)
        let wrong = try OnePassProof.make(
            identity: Self.alice, token: token, pin: PinFactor("1235"), permit: nil, timestamp: time)
        #expect(registration.server.verify(onePass: wrong, identity: Self.alice, day: nil) == .wrongPIN)
    }

    @Test
    func withPermit() throws {
        let registration = try Registration()
        let day = try EpochDay(19_675)
        let token = try registration.token(of: Self.alice, pin: "1234")
        let proof = try OnePassProof.make(
            identity: Self.alice, token: token, pin: PinFactor("1234"),
            permit: registration.permit(of: Self.alice, on: day), timestamp: Timestamp(1_700_000_000))
        #expect(registration.server.verify(onePass: proof, identity: Self.alice, day: day) == .accepted)
        #expect(
            registration.server.verify(onePass: proof, identity: Self.alice, day: try EpochDay(19_676)) == .wrongPIN)
        #expect(
            registration.server.verify(onePass: proof, identity: Self.alice, day: nil)
                == .malformed(.wrongLength(of: .g1Point, expected: 0, actual: 65)))
    }

    /// Two proofs never share their x, from which the secret could be computed.
    @Test
    func everyProofIsFresh() throws {
        let registration = try Registration()
        let token = try registration.token(of: Self.alice, pin: "1234")
        let commitments = try (0..<10).map { _ in
            try OnePassProof.make(
                identity: Self.alice, token: token, pin: PinFactor("1234"), permit: nil,
                timestamp: Timestamp(1_700_000_000)
            ).u
        }
        #expect(Set(commitments).count == commitments.count)
    }
}
