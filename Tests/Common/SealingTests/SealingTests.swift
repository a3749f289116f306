// SPDX-License-Identifier: Apache-2.0

import Encoding
import Patience
import Sealing
import Testing

@Suite("Sealed bytes")
struct SealingTests {
    private static func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
    private static let key = SecretBytes(copying: (0..<32).map { UInt8($0) })
    private static let context: [UInt8] = [7, 7]

    @Test func openWithTheirKeyAndContextAlone() throws {
        let plain = Self.secret("what nobody else reads")
        let seal = AuthenticatedSeal(key: Self.key)
        let sealed = try #require(seal.seal(plain, context: Self.context))
        #expect(sealed.count == plain.count + AuthenticatedSeal.overhead)
        #expect(seal.open(sealed[...], context: Self.context) == plain)
        #expect(seal.open(sealed[...], context: [7]) == nil)
        let other = AuthenticatedSeal(key: SecretBytes(copying: (1...32).map { UInt8($0) }))
        #expect(other.open(sealed[...], context: Self.context) == nil)
        // Sealing the same bytes twice gives different results.
        #expect(seal.seal(plain, context: Self.context) != sealed)
        // A slice in the middle of other bytes.
        #expect(seal.open(([1, 2, 3] + sealed).dropFirst(3), context: Self.context) == plain)
    }

    @Test func openInNoOtherForm() throws {
        let seal = AuthenticatedSeal(key: Self.key)
        let sealed = try #require(seal.seal(Self.secret("forty-two"), context: Self.context))
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(seal.open(changed[...], context: Self.context) == nil, "byte \(index), bit \(bit)")
            }
            #expect(seal.open(sealed.prefix(index), context: Self.context) == nil, "cut at \(index)")
        }
        #expect(seal.open((sealed + [0])[...], context: Self.context) == nil)
    }

    @Test func nothingIsSealedToo() throws {
        let seal = AuthenticatedSeal(key: Self.key)
        let sealed = try #require(seal.seal(Self.secret(""), context: []))
        #expect(seal.open(sealed[...], context: [])?.count == 0)
    }

    @Test func aKeyOfAnotherLengthSealsNothing() {
        let seal = AuthenticatedSeal(key: SecretBytes(copying: [1, 2, 3]))
        #expect(seal.seal(Self.secret("a"), context: []) == nil)
        #expect(seal.open([UInt8](repeating: 0, count: 40)[...], context: []) == nil)
    }

    /// RFC 4231, test case 2.
    @Test func aDerivedKeyIsAnHMAC() throws {
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        let derived = try #require(Self.secret("Jefe").derivedKey(for: "what do ya want for nothing?"))
        let text = derived.withBytes { bytes in
            bytes.indices.map { (bytes[$0] < 16 ? "0" : "") + String(bytes[$0], radix: 16) }.joined()
        }
        #expect(text == expected)
        #expect(Self.key.derivedKey(for: "one") != Self.key.derivedKey(for: "another"))
    }

    @Test func random() {
        let seed: UInt64 = 0x5EA1_0001
        var generator = SplitMix64(seed: seed)
        let seal = AuthenticatedSeal(key: Self.key)
        for round in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            #expect(seal.open(bytes[...], context: Self.context) == nil, "seed \(seed), round \(round)")
        }
    }
}
