// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

/// Compares the pairing with PARI's, on random input.
@Suite(.enabled(if: PARI.isInstalled, "compares the pairing with PARI/GP, which is not here: apt-get install pari-gp"))
struct PARIOracleTests {
    @Test(.timeLimit(.minutes(10)))
    func valuesAgreeToTheLastByte() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        var pairs = [(p: [UInt8](G1.generator.encoded), q: [UInt8](G2.generator.encoded))]
        for _ in 0..<6 {
            let p = try #require(random.g1().affine)
            let q = try #require(random.g2().affine)
            pairs.append((p: [UInt8](p.encoded), q: [UInt8](q.encoded)))
        }
        let values = try PARI.pairings(pairs)
        #expect(values.count == pairs.count)
        for (pair, value) in zip(pairs, values) {
            let ours = try KnownAnswers.pairing(pair.p, pair.q)
            #expect(ours.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == value, "seed \(seed)")
        }
    }

    /// A proof that a server accepts also holds in PARI's arithmetic: e(V, G) e(y A + U, SS) = 1.
    @Test(.timeLimit(.minutes(10)))
    func aProofHoldsForPARIToo() throws {
        let registration = try Registration()
        let identity = MPinIdentity(MPinID(Array("somebody@example.com".utf8)))
        let token = try registration.token(of: identity, pin: "2718")
        for (pin, holds) in [("2718", true), ("2719", false)] {
            let proof = try TwoPassProof(of: identity, token, pin: pin)
            let multiple = identity.hashed.point.projective.multiplied(by: proof.challenge.scalar)
            let p = try #require((multiple + AffinePoint<G1>(decoding: proof.commitment.span).projective).affine)
            let secret = registration.server.withBytes { bytes in bytes.indices.map { bytes[$0] } }
            // e(V, G) = e(-(y A + U), SS) is the equation with one side moved.
            let sides = try PARI.pairings([
                (p: proof.response, q: [UInt8](G2.generator.encoded)), (p: [UInt8]((-p).encoded), q: secret),
            ])
            #expect((sides[0] == sides[1]) == holds)
        }
    }
}
