// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Patience
import Testing
@testable import QRReader

@Suite("Symbols that no frame alone shows are read from several")
struct FrameSumTests {
    /// A symbol that a lamp shines on; the glare wanders from frame to frame, and so does the hand.
    struct Film {
        let symbol: EncodedSymbol
        var noise: Int
        /// Radius of the glare as a share of the symbol's side.
        var glare: Double
        var module = 5.0

        func frame(_ number: Int, using generator: inout SplitMix64) -> DrawnPicture {
            let sway = 0.03 * Double(number % 5 - 2)
            var picture = DrawnPicture(
                symbol, module: module, tilt: (sway, -sway), turn: (1, 0), isInverted: false)
            let side = module * Double(symbol.side)
            let middle = Double(picture.width) / 2
            let angle = 0.7 * Double(number)
            // Around the middle, where no finder pattern is hidden.
            let (x, y) = (middle + 0.16 * side * (1 + sine(angle)), middle + 0.16 * side * (1 + sine(angle + 1.57)))
            let radius = glare * side
            for index in picture.pixels.indices {
                let (across, down) = (Double(index % picture.width) - x, Double(index / picture.width) - y)
                let value = Int(picture.pixels[index]) + Int.random(in: -noise...noise, using: &generator)
                picture.pixels[index] =
                    across * across + down * down < radius * radius ? 250 : UInt8(min(max(value, 0), 255))
            }
            return picture
        }

        /// Near enough for where a glare is: Bhaskara's approximation.
        private func sine(_ angle: Double) -> Double {
            let turn = angle.truncatingRemainder(dividingBy: 2 * .pi)
            let (half, sign) = turn > .pi ? (turn - .pi, -1.0) : (turn, 1.0)
            let product = half * (.pi - half)
            return sign * 16 * product / (5 * .pi * .pi - 4 * product)
        }
    }

    @Test("Glare that wanders hides another part of each frame")
    func glare() {
        var generator = SplitMix64(seed: 11)
        var (films, summed) = (0, 0)
        for _ in 0..<TestEffort.rounds(2) {
            let symbol = EncodedSymbol.random(
                version: Int.random(in: 3...8, using: &generator), level: .low, using: &generator)
            let film = Film(symbol: symbol, noise: 20, glare: 0.2)
            var alone = QRReader()
            let frames = (0..<12).map { film.frame($0, using: &generator) }
            guard frames.allSatisfy({ $0.read(by: &alone) == nil }) else { continue }
            films += 1
            var reader = QRReader()
            for frame in frames {
                guard let text = frame.read(by: &reader, effort: .oneTurn) else { continue }
                #expect(text == symbol.text)
                summed += 1
                break
            }
        }
        #expect(films > 0 && summed * 10 >= films * 6, "\(summed) of \(films)")
    }

    @Test("A code that changes is read as it was or as it is, never as a mixture")
    func changing() throws {
        var generator = SplitMix64(seed: 12)
        for round in 0..<TestEffort.rounds(4) {
            let symbols = try ["https://a.example/#1f0c9", "https://a.example/#77b2e"].map {
                try #require(EncodedSymbol(Array($0.utf8), mode: .bytes, version: 3, level: .low))
            }
            var reader = QRReader()
            for number in 0..<16 {
                let symbol = symbols[number < 3 + round ? 0 : 1]
                let frame = Film(symbol: symbol, noise: 60, glare: 0.2).frame(number, using: &generator)
                if let text = frame.read(by: &reader, effort: .oneTurn) { #expect(symbols.map(\.text).contains(text)) }
            }
        }
    }

    @Test("A symbol elsewhere, of another size or version starts again")
    func follows() {
        var sum = FrameSum()
        var grid = ModuleGrid()
        grid.become(SymbolVersion(number: 2))
        for index in 0..<grid.dimension * grid.dimension { grid[index] = 0.5 }
        func square(_ x: Float, _ y: Float, _ side: Float) -> [Point] {
            [Point(x, y), Point(x + side, y), Point(x + side, y + side), Point(x, y + side)]
        }
        sum.add(grid, square(100, 100, 80))
        sum.add(grid, square(110, 95, 84))
        var count = sum.frames
        #expect(count == 2)
        let follows = [
            sum.follows(square(110, 95, 84), grid.version), sum.follows(square(300, 95, 84), grid.version),
            sum.follows(square(110, 95, 200), grid.version),
            sum.follows(square(110, 95, 84), SymbolVersion(number: 3)),
        ]
        #expect(follows == [true, false, false, false])
        sum.add(grid, square(300, 95, 84))
        count = sum.frames
        #expect(count == 1)
        for _ in 0..<3 { sum.miss() }
        count = sum.frames
        var rest: Float = 0
        for index in 0..<grid.dimension * grid.dimension { rest += abs(sum.modules[index]) }
        #expect(count == 0 && rest == 0)
    }

    @Test("A symbol that stays unreadable is not followed for ever")
    func bound() {
        var sum = FrameSum()
        var grid = ModuleGrid()
        grid.become(SymbolVersion(number: 1))
        let corners = [Point(0, 0), Point(50, 0), Point(50, 50), Point(0, 50)]
        for number in 1...100 {
            sum.add(grid, corners)
            let isPromising = sum.isPromising
            #expect(isPromising == (number < 40))
        }
    }
}
