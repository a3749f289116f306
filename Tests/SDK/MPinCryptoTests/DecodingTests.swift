// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

/// Inputs that the decoders accept or refuse, and the errors.
struct DecodingTests {
    static let seed: UInt64 = 0x6465_636f
    static let g1 = [UInt8](G1.generator.encoded)
    static let g2 = [UInt8](G2.generator.encoded)

    private func error<Value: ~Copyable>(_ body: () throws(MPinCryptoError) -> Value) -> MPinCryptoError? {
        do throws(MPinCryptoError) {
            _ = try body()
            return nil
        } catch { return error }
    }

    private func g1Error(_ bytes: [UInt8]) -> MPinCryptoError? {
        error { () throws(MPinCryptoError) in try AffinePoint<G1>(decoding: bytes.span) }
    }

    private func g2Error(_ bytes: [UInt8]) -> MPinCryptoError? {
        error { () throws(MPinCryptoError) in try AffinePoint<G2>(decoding: bytes.span) }
    }

    private func scalarError(_ bytes: [UInt8]) -> [MPinCryptoError?] {
        [
            error { () throws(MPinCryptoError) in try MasterSecret(bytes: bytes) },
            error { () throws(MPinCryptoError) in try DVSPrivateKey(bytes: bytes) },
            error { () throws(MPinCryptoError) in try Challenge(bytes: bytes) },
        ]
    }

    private static let zero = [UInt8](repeating: 0, count: 32)

    private static var order: [UInt8] {
        var order = zero
        var span = order.mutableSpan
        Fr.modulus.write(to: &span, at: 0)
        return order
    }

    /// The 32 bytes from `offset` on, increased by p.
    private func unreduced(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
        var bytes = bytes
        let number = Limbs(bigEndian: bytes.span, at: offset).adding(Fp.modulus)
        var span = bytes.mutableSpan
        number.write(to: &span, at: offset)
        return bytes
    }

    @Test
    func g1Lengths() {
        #expect(g1Error(Self.g1) == nil)
        for length in [0, 1, 33, 64, 66, 128] {
            let bytes = Array((Self.g1 + Self.g1).prefix(length))
            #expect(g1Error(bytes) == .wrongLength(of: .g1Point, expected: 65, actual: length))
        }
    }

    @Test
    func g1Prefixes() {
        for prefix in UInt8.min...UInt8.max where prefix != 4 {
            #expect(g1Error([prefix] + Self.g1.dropFirst()) == .malformedPoint(.g1Point))
        }
    }

    @Test
    func g1Coordinates() {
        let x = Self.g1[1..<33]
        let y = Self.g1[33...]
        let zero = [UInt8](repeating: 0, count: 32)
        let refused: [[UInt8]] = [
            unreduced(Self.g1, at: 1), unreduced(Self.g1, at: 33), [4] + y + x, [4] + zero + zero, [4] + zero + y,
            [4] + [UInt8](repeating: 255, count: 64),
            // (1, 2) is on y^2 = x^3 + 3.
            [4] + zero.dropLast() + [1] + zero.dropLast() + [2],
        ]
        for bytes in refused { #expect(g1Error(bytes) == .malformedPoint(.g1Point)) }
    }

    @Test
    func g2Lengths() {
        #expect(g2Error(Self.g2) == nil)
        for length in [0, 1, 64, 127, 129, 256] {
            let bytes = Array((Self.g2 + Self.g2).prefix(length))
            #expect(g2Error(bytes) == .wrongLength(of: .g2Point, expected: 128, actual: length))
        }
    }

    @Test
    func g2Coordinates() {
        let zero = [UInt8](repeating: 0, count: 128)
        var one = zero
        one[95] = 1
        let imaginaryFirst = Array([Self.g2[32..<64], Self.g2[0..<32], Self.g2[96..<128], Self.g2[64..<96]].joined())
        let tooGreat = [0, 32, 64, 96].map { unreduced(Self.g2, at: $0) }
        for bytes in tooGreat + [zero, one, imaginaryFirst, [UInt8](repeating: 255, count: 128)] {
            #expect(g2Error(bytes) == .malformedPoint(.g2Point))
        }
    }

    @Test
    func scalars() throws {
        for length in [0, 31, 33] {
            let error = MPinCryptoError.wrongLength(of: .scalar, expected: 32, actual: length)
            #expect(scalarError([UInt8](repeating: 1, count: length)) == [error, error, error])
        }
        for bytes in [Self.zero, Self.order] {
            #expect(scalarError(bytes) == [.scalarOutOfRange, .scalarOutOfRange, .scalarOutOfRange])
        }
        #expect(scalarError(Self.zero.dropLast() + [1]) == [nil, nil, nil])
        // Only a challenge of at least r is accepted, and counts modulo r.
        #expect(scalarError([UInt8](repeating: 255, count: 32)) == [.scalarOutOfRange, .scalarOutOfRange, nil])
        var order = Self.order
        order[31] += 1
        let challenge = try Challenge(bytes: order)
        #expect(challenge.scalar == .one)
        #expect(challenge.bytes == order)
    }

    /// Every accepted input is written back byte for byte, and every other gives the documented error.
    @Test
    func noisyInput() throws {
        var random = SplitMix64(seed: Self.seed)
        var taken = 0
        for round in 0..<2_000 {
            var bytes: [UInt8]
            switch round % 4 {
            case 0: bytes = random.bytes(Int(random.next() % 140))
            case 1: bytes = [4] + random.bytes(64)
            case 2: bytes = Self.g1
            default: bytes = Self.g2
            }
            // Change up to two bytes.
            for _ in 0..<Int(random.next() % 3) where !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if let point = try? AffinePoint<G1>(decoding: bytes.span) {
                #expect([UInt8](point.encoded) == bytes, "round \(round), seed \(Self.seed)")
                taken += 1
            }
            if let point = try? AffinePoint<G2>(decoding: bytes.span) {
                #expect([UInt8](point.encoded) == bytes, "round \(round), seed \(Self.seed)")
                taken += 1
            }
        }
        #expect(taken > 0)
    }
}
