// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing
@testable import QRReader

/// The encoder and the check are written by the definition, without tables.
@Suite("Reed-Solomon corrects what its code allows, and nothing else")
struct ReedSolomonTests {
    /// Multiplies bit by bit.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (sum, power, rest) = (UInt8(0), Int(left), right)
        while rest != 0 {
            if rest & 1 == 1 { sum ^= UInt8(power) }
            power <<= 1
            if power > 255 { power ^= 0x11D }
            rest >>= 1
        }
        return sum
    }

    private static func block(_ data: [UInt8], checkWords: Int) -> [UInt8] {
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<checkWords {
            var next = generator + [0]
            for index in generator.indices { next[index + 1] ^= product(generator[index], root) }
            generator = next
            root = product(root, 2)
        }
        var rest = data + [UInt8](repeating: 0, count: checkWords)
        for index in data.indices {
            let factor = rest[index]
            for place in generator.indices { rest[index + place] ^= product(generator[place], factor) }
        }
        return data + rest.suffix(checkWords)
    }

    /// Whether the polynomial vanishes at every root of the code.
    private static func isCodeWord(_ block: [UInt8], checkWords: Int) -> Bool {
        var root: UInt8 = 1
        for _ in 0..<checkWords {
            if block.reduce(UInt8(0), { product($0, root) ^ $1 }) != 0 { return false }
            root = product(root, 2)
        }
        return true
    }

    @Test func theFieldIsTheStandards() {
        for left in UInt8.min...UInt8.max {
            for right in UInt8.min...UInt8.max {
                #expect(GaloisField.product(left, right) == Self.product(left, right))
                if right != 0 { #expect(Self.product(GaloisField.quotient(left, right), right) == left) }
            }
        }
    }

    @Test func whatIsWithinReachIsCorrected() {
        var generator = SplitMix64(seed: 38)
        var decoder = ReedSolomonDecoder()
        for round in 0..<TestEffort.rounds(2000) {
            let checkWords = Int.random(in: 7...30, using: &generator)
            let data = (0..<Int.random(in: 1...120, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let whole = Self.block(data, checkWords: checkWords)
            let erased = Int.random(in: 0...checkWords, using: &generator)
            let wrong = (checkWords - erased) / 2
            let places = Array(whole.indices.shuffled(using: &generator).prefix(erased + wrong))
            var block = whole + [UInt8](repeating: 0, count: 256 - whole.count)
            for (index, place) in places.enumerated() {
                // An erased word may be right by chance.
                block[place] ^= UInt8.random(in: index < erased ? 0...255 : 1...255, using: &generator)
            }
            let isCorrected = decoder.correct(
                &block, count: whole.count, checkWords: checkWords, erasures: places, erased: min(erased, places.count),
                spare: 0)
            #expect(isCorrected && Array(block.prefix(whole.count)) == whole, "round \(round)")
        }
    }

    @Test func whatIsBeyondReachStaysOrBecomesACodeWord() {
        var generator = SplitMix64(seed: 39)
        var decoder = ReedSolomonDecoder()
        for round in 0..<TestEffort.rounds(2000) {
            let checkWords = Int.random(in: 7...30, using: &generator)
            let count = Int.random(in: checkWords + 1...150, using: &generator)
            let random = (0..<256).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let erasures = Array((0..<count).shuffled(using: &generator))
            let erased = Int.random(in: 0...min(checkWords, count), using: &generator)
            var block = random
            let isCorrected = decoder.correct(
                &block, count: count, checkWords: checkWords, erasures: erasures, erased: erased, spare: 0)
            if isCorrected {
                #expect(Self.isCodeWord(Array(block.prefix(count)), checkWords: checkWords), "round \(round)")
            } else {
                #expect(block == random, "round \(round)")
            }
        }
    }

    @Test func spareSyndromesAreKept() {
        let whole = Self.block([1, 2, 3, 4, 5], checkWords: 10)
        var decoder = ReedSolomonDecoder()
        for (wrong, isCorrected) in [(3, true), (4, false), (5, false)] {
            var block = whole
            for place in 0..<wrong { block[place] ^= 7 }
            #expect(
                decoder.correct(&block, count: 15, checkWords: 10, erasures: [], erased: 0, spare: 4) == isCorrected)
        }
    }
}
