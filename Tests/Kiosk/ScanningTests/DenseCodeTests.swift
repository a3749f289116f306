// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import LoginValues
import PictureTestKit
import QRWriting
import Patience
import Testing
@testable import Scanning

/// Personal cards have more modules than login codes. These tests show how small they may be in the picture.
@Suite("Reading codes as dense as personal cards")
struct DenseCodeTests {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// A card's text as a picture with this many pixels per module.
    private static func picture(_ text: [UInt8], scale: Int) -> Picture? {
        QRMatrix(alphanumeric: text.span).flatMap { Picture(blocks: $0.halfBlocks, scale: scale) }
    }

    private static func text(_ count: Int, seed: UInt64) -> [UInt8] {
        var generator = SplitMix64(seed: seed)
        let body = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        return Array(("LOGIN-KIOSK-CARD:1:".utf8 + body).prefix(count))
    }

    /// The picture with blurred neighbours, as of a lens slightly out of focus.
    private static func softened(_ picture: Picture) -> Picture {
        var result = picture
        for y in 0..<picture.height {
            for x in 1..<picture.width - 1 {
                let sum = Int(picture[x - 1, y]) + 2 * Int(picture[x, y]) + Int(picture[x + 1, y])
                result[x, y] = UInt8(sum / 4)
            }
        }
        return result
    }

    /// Three pixels per module suffice, so the largest card is read where it fills four fifths of 480 rows.
    @Test(arguments: [420, 543, 627, 913, 1045, 1451, 1711, 1853], [3, 4, 5])
    func atFewPixelsAModule(characters: Int, pixels: Int) throws {
        let text = Self.text(characters, seed: UInt64(characters))
        let code = try #require(Self.picture(text, scale: pixels))
        let (width, height) = code.height > 460 ? (1280, 720) : (640, 480)
        let frame = Self.softened(
            code.placed(
                onWidth: width, height: height, x: (width - code.width) / 2, y: (height - code.height) / 2, shade: 190))
        var scanner = Scanner(effort: .untilFound)
        let symbols = frame.withFrame(captured: .zero) { scanner.symbols(in: $0) }
        #expect(symbols.map(\.payload) == [SecretBytes(copying: text)], "\(code.width / pixels - 8) modules")
    }
}
