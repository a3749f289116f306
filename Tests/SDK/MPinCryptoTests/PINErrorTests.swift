// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

struct PINErrorTests {
    static let alice = MPinIdentity(MPinID(Array("alice@example.com".utf8)))

    /// The distance that the server computes from a failed login.
    private func distance(
        registered: String, entered: String, within limit: Int, claimed: MPinIdentity = alice, forged: Bool = false
    ) throws -> Int? {
        let registration = try Registration()
        let token = try registration.token(of: Self.alice, pin: registered)
        let proof = try TwoPassProof(of: Self.alice, token, pin: entered)
        return try registration.server.pinError(
            of: proof.altered(identity: claimed, v: forged ? [UInt8](G1.generator.encoded) : nil), within: limit)
    }

    @Test(
        arguments: [
            ("1234", "1234", 0), ("1234", "1235", 1), ("1234", "1233", -1), ("9999", "0000", -9_999),
            ("0000", "9999", 9_999), ("9191", "9201", 10), ("8517", "8660", 143),
        ])
    func fourDigits(registered: String, entered: String, distance: Int) throws {
        #expect(try self.distance(registered: registered, entered: entered, within: 9_999) == distance)
    }

    @Test
    func sixDigits() throws {
        #expect(try distance(registered: "000001", entered: "999999", within: 999_999) == 999_998)
    }

    @Test
    func whatIsBeyondTheLimitIsNotFound() throws {
        #expect(try distance(registered: "0010", entered: "0110", within: 100) == 100)
        #expect(try distance(registered: "0010", entered: "0111", within: 100) == nil)
        #expect(try distance(registered: "0010", entered: "0011", within: 0) == nil)
    }

    @Test
    func otherFaultsAreNoDistance() throws {
        let bob = MPinIdentity(MPinID(Array("bob@example.com".utf8)))
        #expect(try distance(registered: "1234", entered: "1235", within: 9_999, claimed: bob) == nil)
        #expect(try distance(registered: "1234", entered: "1235", within: 9_999, forged: true) == nil)
    }

    @Test
    func withPermit() throws {
        let registration = try Registration()
        let token = try registration.token(of: Self.alice, pin: "1234")
        let proof = try TwoPassProof(
            of: Self.alice, token, pin: "1300", permit: registration.permit(of: Self.alice, on: EpochDay(20_000)))
        let server = registration.server
        #expect(try server.pinError(of: proof, within: 9_999) == 66)
        #expect(throws: MPinCryptoError.wrongLength(of: .g1Point, expected: 65, actual: 0)) {
            try server.pinError(of: proof.altered(ut: .some(nil)), within: 9_999)
        }
    }

    /// Every logarithm up to a limit, and none beyond it, for limits of all remainders.
    @Test
    func everyLogarithm() throws {
        let base = Pairing.value(G1.generator, G2.generator)
        for limit in 0...20 {
            let logarithm = DiscreteLogarithm(base: base, limit: limit)
            var power = Fp12.one
            for exponent in 0...(limit + 10) {
                #expect(logarithm.find(power) == (exponent <= limit ? exponent : nil))
                #expect(logarithm.find(power.conjugated) == (exponent <= limit ? -exponent : nil))
                power = power * base
            }
        }
    }
}
