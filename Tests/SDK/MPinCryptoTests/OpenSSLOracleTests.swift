// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

/// Compares G1 with OpenSSL's generic curve arithmetic, on random input.
struct OpenSSLOracleTests {
    static let seed: UInt64 = 0x6f70_656e

    private func curve() throws -> OpenSSLCurve {
        try #require(
            OpenSSLCurve(
                prime: bytes(Fp.modulus), order: bytes(Fr.modulus), generator: [UInt8](G1.generator.encoded)))
    }

    private func bytes(_ number: Limbs) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        var span = bytes.mutableSpan
        number.write(to: &span, at: 0)
        return bytes
    }

    @Test
    func additionAndMultiplicationAgree() throws {
        let curve = try curve()
        var random = SplitMix64(seed: Self.seed)
        for round in 0..<60 {
            let a = [UInt8](try #require(random.g1().affine).encoded)
            let b = [UInt8](try #require(random.g1().affine).encoded)
            // Numbers of every length, including unreduced ones.
            let scalar = [UInt8](repeating: 0, count: round % 32) + random.bytes(32 - round % 32)
            #expect(try KnownAnswers.addG1(a, b) == curve.sum(a, b))
            #expect(try KnownAnswers.addG1(a, a) == curve.sum(a, a))
            #expect(try KnownAnswers.multiplyG1(a, by: scalar) == curve.multiple(a, by: scalar), "scalar \(scalar)")
        }
    }

    @Test
    func infinityAgrees() throws {
        let curve = try curve()
        let a = [UInt8](G1.generator.encoded)
        let minusA = [UInt8]((-G1.generator).encoded)
        #expect(try KnownAnswers.addG1(a, minusA) == nil)
        #expect(curve.sum(a, minusA) == nil)
        #expect(try KnownAnswers.multiplyG1(a, by: bytes(Fr.modulus)) == nil)
        #expect(curve.multiple(a, by: bytes(Fr.modulus)) == nil)
    }

    /// Both sides agree on which 65 bytes are a point, except for hybrid encodings, which OpenSSL also reads.
    @Test
    func decodingAgrees() throws {
        let curve = try curve()
        var random = SplitMix64(seed: Self.seed)
        for round in 0..<300 {
            var encoding = [UInt8](try #require(random.g1().affine).encoded)
            if round % 3 != 0 { encoding[1 + Int(random.next() % 64)] ^= 1 << UInt8(random.next() % 8) }
            let accepted = (try? KnownAnswers.checkG1(encoding)) != nil
            #expect(accepted == curve.accepts(encoding), "round \(round), seed \(Self.seed)")
        }
    }
}
