// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing
@testable import QRReader

@Suite("Grids of modules are decoded")
struct GridDecoderTests {
    @Test("Symbols of every version, level and mode", arguments: SymbolVersion.numbers)
    func everyVersion(number: Int) {
        var generator = SplitMix64(seed: UInt64(number))
        var grid = ModuleGrid()
        var decoder = GridDecoder()
        for level in CorrectionLevel.allCases {
            for _ in 0..<8 {
                let symbol = EncodedSymbol.random(version: number, level: level, using: &generator)
                symbol.fill(&grid)
                let isRead = decoder.decode(grid)
                #expect(isRead && decoder.result == symbol.text, "\(level)")
                let agreement = grid.agreement(with: decoder.patterns)
                #expect(agreement > 0.999)
            }
        }
    }

    @Test("A mirror image is read with rows and columns changed")
    func mirrored() throws {
        var grid = ModuleGrid()
        var decoder = GridDecoder()
        let symbol = try #require(
            EncodedSymbol(Array("https://login.example/#1".utf8), mode: .bytes, version: 3, level: .medium))
        symbol.fill(&grid)
        grid.transpose()
        let isReadAsItIs = decoder.decode(grid)
        #expect(!isReadAsItIs)
        grid.transpose()
        let isRead = decoder.decode(grid)
        #expect(isRead && decoder.result == symbol.text)
    }

    /// Seventeen error correction words correct eight wrong ones, and thirteen that are known to be doubtful.
    @Test("Unknown modules are corrected where as many wrong ones are not")
    func erasures() throws {
        var grid = ModuleGrid()
        var decoder = GridDecoder()
        let symbol = try #require(EncodedSymbol(Array("1234567".utf8), mode: .numeric, version: 1, level: .high))
        for (certainty, isCorrected) in [(Float(1), false), (0.01, true)] {
            symbol.fill(&grid)
            decoder.become(grid.version)
            for index in 14 * 8..<26 * 8 {
                let module = decoder.patterns.order[index]
                grid[module] = grid[module] > 0 ? -certainty : certainty
            }
            let isRead = decoder.decode(grid)
            #expect(isRead == isCorrected)
            if isRead { #expect(decoder.result == symbol.text) }
        }
    }

    /// `make test-qr-long` takes 20,000.
    @Test("Damaged symbols are read or refused, and never read wrongly")
    func damaged() {
        var generator = SplitMix64(seed: 4)
        var grid = ModuleGrid()
        var decoder = GridDecoder()
        var read = 0
        let rounds = TestEffort.rounds(200)
        for round in 0..<rounds {
            let symbol = EncodedSymbol.random(using: &generator)
            symbol.fill(&grid)
            let noise = Float.random(in: 0...1.6, using: &generator)
            let hidden = Int.random(in: 0...symbol.side / 2, using: &generator)
            let (top, left) = (
                Int.random(in: 0..<symbol.side, using: &generator), Int.random(in: 0..<symbol.side, using: &generator)
            )
            for row in 0..<symbol.side {
                for column in 0..<symbol.side {
                    if (top..<top + hidden).contains(row), (left..<left + hidden).contains(column) {
                        // A hidden part looks certain in every second symbol.
                        grid[row, column] = round % 2 == 0 ? -1 : 0.02
                    } else {
                        let value = grid[row, column] + Float.random(in: -noise...noise, using: &generator)
                        grid[row, column] = min(max(value, -1), 1)
                    }
                }
            }
            if decoder.decode(grid) {
                read += 1
                #expect(decoder.result == symbol.text, "round \(round)")
            }
        }
        #expect(read * 4 > rounds)
    }

    @Test("Random grids hold no text")
    func fuzz() {
        var generator = SplitMix64(seed: 5)
        var grid = ModuleGrid()
        var decoder = GridDecoder()
        for round in 0..<TestEffort.rounds(300) {
            // Small symbols have the fewest words to check by.
            let number =
                round % 10 == 0 ? Int.random(in: 1...40, using: &generator) : Int.random(in: 1...3, using: &generator)
            grid.become(SymbolVersion(number: number))
            for index in 0..<grid.dimension * grid.dimension {
                grid[index] = Float.random(in: -1...1, using: &generator)
            }
            let isRead = decoder.decode(grid)
            #expect(!isRead, "round \(round)")
        }
    }

    /// Whatever error correction has let through: lengths that lie, modes that there are not.
    @Test("Random data are segments or refused")
    func segments() throws {
        var generator = SplitMix64(seed: 6)
        var words = CodeWords()
        var segments = DataSegments()
        for round in 0..<TestEffort.rounds(2000) {
            let data = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            words.take(data)
            if segments.read(words, version: SymbolVersion(number: 1 + round % 40)) {
                #expect((1...3 * data.count).contains(segments.count))
            }
        }
    }

    @Test("FNC1 makes a percent sign a separator; ECI and structured append are passed over")
    func modes() {
        var words = CodeWords()
        var segments = DataSegments()
        // FNC1 in first position, then alphanumeric, 4 characters "A%%%".
        words.take(bits("0101 0010 000000100", 10 * 45 + 38, 11, 38 * 45 + 38, 11))
        let isRead = segments.read(words, version: SymbolVersion(number: 1))
        #expect(isRead && Array(segments.text.prefix(segments.count)) == [0x41, 0x25, 0x1D])
        // ECI 26, one byte.
        words.take(bits("0111 00011010 0100 00000001 01000001 0000"))
        let isOther = segments.read(words, version: SymbolVersion(number: 1))
        #expect(isOther && !segments.isPart && Array(segments.text.prefix(segments.count)) == [0x41])
        // The first of two parts.
        words.take(bits("0011 0000 0001 01000001 0100 00000001 01000001 0000"))
        let isPart = segments.read(words, version: SymbolVersion(number: 1))
        #expect(isPart && segments.isPart)
    }

    private func bits(_ text: String, _ numbers: Int...) -> [UInt8] {
        var bits = text.filter { $0 != " " }.map { $0 == "1" }
        for index in stride(from: 0, to: numbers.count, by: 2) {
            for bit in (0..<numbers[index + 1]).reversed() { bits.append(numbers[index] >> bit & 1 == 1) }
        }
        while bits.count % 8 != 0 { bits.append(false) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }
}
