// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Patience
import Testing
@testable import QRReader

/// A grey picture that a test draws.
struct DrawnPicture {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, _ shade: (_ x: Int, _ y: Int) -> UInt8) {
        (self.width, self.height) = (width, height)
        pixels = (0..<width * height).map { shade($0 % width, $0 / width) }
    }

    /// A symbol seen from aside, by the projection that takes a pixel to its module.
    init(_ symbol: EncodedSymbol, module: Double, tilt: (Double, Double), turn: (Double, Double), isInverted: Bool) {
        let side = Int(Double(symbol.side + 12) * module * 1.5)
        let middle = Double(symbol.side) / 2
        let (light, dark): (Double, Double) = isInverted ? (40, 200) : (200, 40)
        self.init(width: side, height: side) { x, y in
            var sum = 0.0
            for part in 0..<4 {
                let across = (Double(x) + 0.25 + 0.5 * Double(part % 2) - Double(side) / 2) / module
                let down = (Double(y) + 0.25 + 0.5 * Double(part / 2) - Double(side) / 2) / module
                let depth = 1 + (tilt.0 * across + tilt.1 * down) / Double(symbol.side)
                let column = (turn.0 * across - turn.1 * down) / depth + middle
                let row = (turn.1 * across + turn.0 * down) / depth + middle
                sum += symbol[Int(row.rounded(.down)), Int(column.rounded(.down))] ? dark : light
            }
            return UInt8(sum / 4)
        }
    }

    /// Means of squares, as a lens that is out of focus has them.
    func blurred(by reach: Int) -> DrawnPicture {
        guard reach > 0 else { return self }
        return DrawnPicture(width: width, height: height) { x, y in
            var (sum, count) = (0, 0)
            for row in max(y - reach, 0)...min(y + reach, height - 1) {
                for column in max(x - reach, 0)...min(x + reach, width - 1) {
                    sum += Int(pixels[row * width + column])
                    count += 1
                }
            }
            return UInt8(sum / count)
        }
    }

    func readings(by reader: inout QRReader, effort: QRReader.Effort = .everything) -> [QRReader.Reading] {
        unsafe pixels.withUnsafeBufferPointer { pixels in
            // Safe: the picture's bytes live during the call.
            unsafe reader.read(
                Frame(borrowing: pixels, width: width, height: height, stride: width, captured: .zero),
                effort: effort)
        }
    }

    func read(by reader: inout QRReader, effort: QRReader.Effort = .everything) -> [UInt8]? {
        readings(by: &reader, effort: effort).first?.payload.withBytes { bytes in (0..<bytes.count).map { bytes[$0] } }
    }
}

@Suite("Symbols are read in pictures")
struct QRReaderTests {
    @Test("Tilted, turned, blurred, noisy and partly hidden symbols are read or refused, and never read wrongly")
    func property() {
        var generator = SplitMix64(seed: 7)
        var reader = QRReader()
        var read = 0
        let rounds = TestEffort.rounds(24)
        for round in 0..<rounds {
            let symbol = EncodedSymbol.random(version: 1 + round % 12, using: &generator)
            let angle = Double.random(in: -1...1, using: &generator)
            let turn = ((1 - angle * angle) / (1 + angle * angle), 2 * angle / (1 + angle * angle))
            let tilt = (
                Double.random(in: -0.25...0.25, using: &generator), Double.random(in: -0.25...0.25, using: &generator)
            )
            var picture = DrawnPicture(
                symbol, module: Double.random(in: 3...8, using: &generator), tilt: tilt, turn: turn,
                isInverted: round % 4 == 0
            ).blurred(by: Int.random(in: 0...1, using: &generator))
            let noise = Int.random(in: 0...30, using: &generator)
            let (spotX, spotY) = (
                Int.random(in: 0..<picture.width, using: &generator),
                Int.random(in: 0..<picture.height, using: &generator)
            )
            let spot = Int.random(in: 0...picture.width / 8, using: &generator)
            for index in picture.pixels.indices {
                let (x, y) = (index % picture.width - spotX, index / picture.width - spotY)
                let value = Int(picture.pixels[index]) + Int.random(in: -noise...noise, using: &generator)
                picture.pixels[index] = x * x + y * y < spot * spot ? 255 : UInt8(min(max(value, 0), 255))
            }
            guard let text = picture.read(by: &reader) else { continue }
            read += 1
            #expect(text == symbol.text, "round \(round)")
        }
        #expect(read * 10 > rounds * 7, "\(read) of \(rounds)")
    }

    @Test("A mirror image is read")
    func mirrored() throws {
        let symbol = try #require(EncodedSymbol(Array("mirror".utf8), mode: .bytes, version: 2, level: .medium))
        let plain = DrawnPicture(symbol, module: 5, tilt: (0, 0), turn: (1, 0), isInverted: false)
        let picture = DrawnPicture(width: plain.width, height: plain.height) { x, y in
            plain.pixels[y * plain.width + plain.width - 1 - x]
        }
        var reader = QRReader()
        #expect(picture.read(by: &reader) == symbol.text)
    }

    @Test("The corners of a symbol are told")
    func corners() throws {
        let symbol = try #require(EncodedSymbol(Array("corners".utf8), mode: .bytes, version: 2, level: .medium))
        let picture = DrawnPicture(symbol, module: 6, tilt: (0, 0), turn: (1, 0), isInverted: false)
        var reader = QRReader()
        let reading = try #require(picture.readings(by: &reader).first)
        #expect(!reading.isMirrored)
        let (near, far) = (picture.width / 2 - 3 * symbol.side, picture.width / 2 + 3 * symbol.side)
        for (corner, expected) in zip(reading.corners, [(near, near), (far, near), (far, far), (near, far)]) {
            #expect(abs(corner.x - expected.0) < 5 && abs(corner.y - expected.1) < 5)
        }
    }

    @Test("Pictures without a symbol hold no text", arguments: 0..<6)
    func nothing(kind: Int) {
        var generator = SplitMix64(seed: UInt64(kind))
        var reader = QRReader()
        for round in 0..<TestEffort.rounds(4) {
            let (width, height) = (
                Int.random(in: 1...400, using: &generator), Int.random(in: 1...300, using: &generator)
            )
            let cell = Int.random(in: 1...9, using: &generator)
            var cells = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if kind == 2 { cells = cells.map { $0 < 128 ? 0 : 255 } }
            let picture = DrawnPicture(width: width, height: height) { x, y in
                switch kind {
                case 0: cells[y * width + x]
                case 1, 2: cells[y / cell * width + x / cell]
                case 3: (x / cell + y / cell) % 2 == 0 ? 0 : 255
                case 4: x % (cell + 3) == 0 || y % (cell + 3) == 0 ? 20 : 230
                default:
                    cells[y / cell / 7 * width + x / cell / 5] < 200 && cells[y / cell * width + x / cell] < 90
                        ? 0 : 255
                }
            }
            #expect(picture.read(by: &reader) == nil, "round \(round)")
        }
    }
}
