// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

/// Proofs verified together give the same verdicts as alone.
struct BatchTests {
    private let server: ServerSecret
    private let today: EpochDay
    private let plain, permitted, keyed: Person

    private struct Person {
        let identity: MPinIdentity
        let token: Token
        var permit: TimePermit?

        func proof(pin: String = "1234") throws -> TwoPassProof {
            try TwoPassProof(of: identity, token, pin: pin, permit: permit)
        }
    }

    init() throws {
        let registration = try Registration()
        let (alice, bob) = (TwoPassTests.alice, TwoPassTests.bob)
        today = try EpochDay(20_000)
        plain = Person(identity: alice, token: try registration.token(of: alice, pin: "1234"))
        permitted = Person(
            identity: bob, token: try registration.token(of: bob, pin: "1234"),
            permit: try registration.permit(of: bob, on: today))
        let (identity, token) = try registration.keyedToken(of: alice.mpinID, pin: "1234")
        keyed = Person(identity: identity, token: token)
        server = registration.server
    }

    private var people: [Person] { [plain, permitted, keyed] }

    @Test
    func rightProofsAreAcceptedTogether() throws {
        #expect(server.accepts(all: []))
        for person in people {
            for count in [1, 2, 7] {
                let proofs = try (0..<count).map { _ in try person.proof() }
                #expect(server.accepts(all: proofs))
            }
        }
        #expect(server.accepts(all: try (people + people + people).map { try $0.proof() }))
    }

    @Test
    func oneWrongPINIsEnough() throws {
        for place in 0..<6 {
            var proofs = try (people + people).map { try $0.proof() }
            proofs[place] = try (people + people)[place].proof(pin: "1235")
            #expect(!server.accepts(all: proofs), "at \(place)")
            #expect(server.accepts(all: proofs.enumerated().filter { $0.offset != place }.map(\.element)))
        }
        #expect(!server.accepts(all: [try plain.proof(pin: "1235")]))
        #expect(!server.accepts(all: try people.map { try $0.proof(pin: "1235") }))
    }

    /// Each of these is refused alone: another's proof, another day, random bytes, and a sum at infinity.
    @Test
    func whatIsRefusedAloneIsRefusedAmongOthers() throws {
        let others = try people.map { try $0.proof() }
        func check(_ proof: TwoPassProof, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(server.verify(proof) != .accepted, sourceLocation: sourceLocation)
            #expect(!server.accepts(all: others + [proof]), sourceLocation: sourceLocation)
            #expect(!server.accepts(all: [proof] + others), sourceLocation: sourceLocation)
        }
        let (alices, bobs, keyedAlices) = (others[0], others[1], others[2])
        #expect(others.allSatisfy { server.verify($0) == .accepted })
        check(alices.altered(identity: TwoPassTests.bob))
        check(keyedAlices.altered(identity: TwoPassTests.alice))
        check(alices.altered(challenge: try .random()))
        check(alices.altered(v: bobs.response))
        check(bobs.altered(day: try EpochDay(20_001)))
        check(bobs.altered(day: .some(nil)))
        check(alices.altered(day: today))
        check(alices.altered(u: []))
        check(alices.altered(v: [4] + [UInt8](repeating: 1, count: 64)))
        let forged = alices.identity.hashed.point.projective.multiplied(by: -alices.challenge.scalar)
        check(alices.altered(u: [UInt8](try #require(forged.affine).encoded)))
        #expect(try !Registration().server.accepts(all: others))
    }

    /// Two people move a value from one proof to the other, which cancels out in a plain product. The weights prevent
    /// that, because they are drawn after both proofs are known.
    @Test
    func oneProofCannotMakeUpForAnother() throws {
        let move = G1.generator.projective
        func moved(_ proof: TwoPassProof, by point: ProjectivePoint<G1>) throws -> TwoPassProof {
            let v = try AffinePoint<G1>(decoding: proof.response.span).projective + point
            return proof.altered(v: [UInt8](try #require(v.affine).encoded))
        }
        let proofs = [try moved(plain.proof(), by: move), try moved(permitted.proof(), by: -move)]
        #expect(proofs.allSatisfy { server.verify($0) == .wrongPIN })
        #expect(try server.isOne(proofs, [BatchWeight(1, 0), BatchWeight(1, 0)]))
        #expect(try !server.isOne(proofs, [BatchWeight(1, 0), BatchWeight(0, 1)]))
        #expect(try !server.isOne(proofs, [BatchWeight(3, 5), BatchWeight(3, 6)]))
        for _ in 0..<20 { #expect(!server.accepts(all: proofs)) }
    }

    @Test
    func weightsDiffer() throws {
        let weights = try BatchWeight.random(64).map(\.scalar)
        for (index, weight) in weights.enumerated() {
            #expect(!weight.isZero && !weights[..<index].contains(weight))
        }
        #expect(try BatchWeight.random(0).isEmpty)
    }

    /// Compares the sum by shared doublings with one multiple after another.
    @Test
    func sumsOfMultiples() {
        var random = SplitMix64(seed: 0x6261_7463)
        for count in [0, 1, 2, 5] {
            var sum = MultiScalarSum<G1>()
            var expected = ProjectivePoint<G1>.infinity
            for index in 0..<count {
                let (point, scalar) = (random.g1(), random.scalar())
                let weight = BatchWeight(random.next(), index == 0 ? 0 : random.next())
                sum.add(point, times: G1.split(scalar))
                sum.add(point, times: weight.halves)
                expected = expected + point.multipliedInWindows(by: scalar + weight.scalar)
            }
            #expect(sum.value == expected)
        }
        for weight in [BatchWeight(0, 0), BatchWeight(.max, .max), BatchWeight(0, .max), BatchWeight(8, 7)] {
            var sum = MultiScalarSum<G1>()
            let point = random.g1()
            sum.add(point, times: weight.halves)
            #expect(sum.value == point.multipliedInWindows(by: weight.scalar))
        }
    }
}
