// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import LoginValues
import PictureTestKit
import Patience
import Testing
@testable import Scanning

@Suite struct ScannerTests {
    private func scan(_ picture: Picture) -> [Symbol] {
        var scanner = Scanner(effort: .untilFound)
        return picture.withFrame(captured: .seconds(5)) { scanner.symbols(in: $0) }
    }

    private func payloads(_ picture: Picture) -> [SecretBytes] { scan(picture).map(\.payload) }

    private func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes) }

    @Test(arguments: [
        Array("https://login.example/mfa#a1b2c3".utf8),
        Array("https://login.example/caf\u{E9}/\u{65E5}\u{672C}\u{8A9E}#1".utf8),
        Array("\u{FEFF}byte order mark \\ backslash ~ tilde".utf8), Array("line\r\nbreak\ttab".utf8),
        [0], [0, 1, 2, 0, 255, 254, 128, 0], [0x81, 0x40, 0x5C, 0x7E, 0xE9, 0xFF],
    ])
    func bytesComeBackAsTheyWere(payload: [UInt8]) throws {
        #expect(payloads(QRPicture.encode(payload)) == [secret(payload)])
    }

    @Test func everyPayloadComesBack() throws {
        let seed: UInt64 = 9
        var random = SplitMix64(seed: seed)
        for count in [1, 17, 100, 512, 1000] {
            let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(payloads(QRPicture.encode(payload)) == [secret(payload)], "seed \(seed), \(count) bytes")
        }
    }

    @Test func theSightingTellsWhereAndHowWell() throws {
        let code = QRPicture.encode("https://login.example/#1", scale: 6)
        let frame = code.placed(onWidth: 640, height: 480, x: 300, y: 200, shade: 200)
        let symbol = try #require(scan(frame).first)
        let sighting = symbol.sighting
        #expect(symbol.parts == 1)
        #expect(sighting.captured == .seconds(5))
        #expect(sighting.frameWidth == 640 && sighting.frameHeight == 480)
        let (centreX, centreY) = (300 + code.width / 2, 200 + code.height / 2)
        #expect(abs(sighting.centreX - centreX) < 12 && abs(sighting.centreY - centreY) < 12)
        let edge = code.width - 48
        #expect(abs(sighting.edge - edge) < edge / 6)
        #expect((90...170).contains(sighting.brightness))
        #expect(sighting.sharpness > 10)
    }

    /// The rows of one field, and those of two fields above each other, as a television camera may deliver them.
    @Test(arguments: [false, true]) func aCodeOfHalfItsHeightIsRead(isTwice: Bool) throws {
        let code = QRPicture.encode("https://login.example/#fields", scale: 6)
            .placed(onWidth: 320, height: 320, x: 40, y: 40, shade: 200)
        var frame = Picture(width: 640, height: isTwice ? 640 : 320, shade: 200)
        for y in 0..<frame.height { for x in 0..<640 { frame[x, y] = code[x / 2, y % 320] } }
        let read = payloads(frame)
        let expected = secret(Array("https://login.example/#fields".utf8))
        #expect(!read.isEmpty && read.allSatisfy { $0 == expected })
        let sighting = try #require(scan(frame).first?.sighting)
        #expect(sighting.frameWidth == 640 && sighting.edge > code.width / 3)
    }

    @Test func theSymbolNearestToTheCentreComesFirst() throws {
        let (near, far) = (QRPicture.encode("near"), QRPicture.encode("far"))
        for isLeft in [true, false] {
            var frame = Picture(width: 640, height: 320, shade: 255)
            frame.draw(near, x: isLeft ? 200 : 330, y: 100)
            frame.draw(far, x: isLeft ? 500 : 20, y: 100)
            #expect(payloads(frame) == [secret(Array("near".utf8)), secret(Array("far".utf8))])
        }
    }

    @Test func theOwnReaderSeesEverySymbolAndMirrorImages() throws {
        let plan = [ScanPass(.own(isThorough: true))]
        var frame = Picture(width: 640, height: 320, shade: 255)
        frame.draw(QRPicture.encode("near"), x: 200, y: 100)
        frame.draw(QRPicture.encode("far"), x: 500, y: 100)
        var scanner = Scanner(effort: .untilFound, picturePlan: plan)
        let both = frame.withFrame(captured: .zero) { scanner.symbols(in: $0) }
        #expect(both.map(\.payload) == [secret(Array("near".utf8)), secret(Array("far".utf8))])
        var isMirrored = scanner.isMirrored
        #expect(!isMirrored)
        let code = QRPicture.encode("mirror")
        var mirrored = code
        for y in 0..<code.height { for x in 0..<code.width { mirrored[x, y] = code[code.width - 1 - x, y] } }
        let one = mirrored.withFrame(captured: .zero) { scanner.symbols(in: $0) }
        #expect(one.map(\.payload) == [secret(Array("mirror".utf8))])
        isMirrored = scanner.isMirrored
        #expect(isMirrored)
    }

    @Test func aRowMayBeLongerThanThePicture() throws {
        let code = QRPicture.encode("stride")
        let stride = code.width + 13
        var bytes = [UInt8](repeating: 0, count: stride * code.height)
        for y in 0..<code.height { for x in 0..<code.width { bytes[y * stride + x] = code[x, y] } }
        for pass in ScanPlan.picture where pass.scale == .full && !pass.isInverted {
            var scanner = Scanner(effort: .untilFound, picturePlan: [pass])
            let found = unsafe bytes.withUnsafeBufferPointer { pixels in
                unsafe scanner.symbols(
                    in: Frame(
                        borrowing: pixels, width: code.width, height: code.height, stride: stride, captured: .zero))
            }
            #expect(found.map(\.payload) == [secret(Array("stride".utf8))], "\(pass)")
        }
    }

    @Test(arguments: [
        (ScanPass.Scale.full, 7, 5, 10), (.half, 15, 11, 20), (.third, 22, 16, 30), (.quarter, 30, 22, 40),
        (.narrow, 15, 5, 20), (.enlarged, 0, 0, 3),
    ])
    func aSymbolHasItsPlaceInTheFrame(scale: ScanPass.Scale, x: Int, y: Int, edge: Int) throws {
        let sighting = SymbolSighting(
            captured: .zero, frameWidth: 16, frameHeight: 12, centreX: 7, centreY: 5, edge: 10, brightness: 0,
            sharpness: 0)
        let symbol = try #require(Symbol(payload: secret([1]), parts: 1, sighting: sighting))
        let picture = Picture(width: 64, height: 48, shade: 0)
        let placed = picture.withFrame(captured: .zero) { symbol.placed(from: scale, in: $0).sighting }
        #expect(placed.centreX == x && placed.centreY == y && placed.edge == edge)
        #expect(placed.frameWidth == 64 && placed.frameHeight == 48)
    }

    @Test func onePartOfASetIsIgnoredAndTheProcessLives() throws {
        let text = String(repeating: "https://login.example/mfa#0123456789abcdef;", count: 6)
        let parts = QRPicture.structured(text, version: 5)
        try #require(parts.count > 2)
        for part in parts { #expect(payloads(part).isEmpty) }
        var plain = ZBarDecoder()
        for part in parts { #expect(part.withFrame(captured: .zero) { plain.symbols(in: $0) }.isEmpty) }
        // The same decoder still reads the next code.
        let next = QRPicture.encode("next").withFrame(captured: .zero) { plain.symbols(in: $0) }
        #expect(next.map(\.payload) == [secret(Array("next".utf8))])
    }

    @Test func aWholeSetInOneFrameSaysThatItWasJoined() throws {
        let text = String(repeating: "https://login.example/mfa#0123456789abcdef;", count: 3)
        let parts = QRPicture.structured(text, version: 5)
        try #require(parts.count == 2)
        var frame = Picture(width: parts[0].width * 2, height: parts[0].height, shade: 255)
        frame.draw(parts[0], x: 0, y: 0)
        frame.draw(parts[1], x: parts[0].width, y: 0)
        let symbol = try #require(scan(frame).first)
        #expect(symbol.payload == secret(Array(text.utf8)))
        #expect(symbol.parts == 2)
    }

    @Test func framesWithoutACodeYieldNothing() throws {
        for shade: UInt8 in [0, 127, 255] { #expect(scan(Picture(width: 320, height: 240, shade: shade)).isEmpty) }
        for seed: UInt64 in 1...10 { #expect(scan(.noise(width: 320, height: 240, seed: seed)).isEmpty) }
        for (width, height) in [(1, 1), (1, 300), (300, 1), (2, 2), (31, 16)] {
            #expect(scan(Picture(width: width, height: height, shade: 90)).isEmpty)
        }
    }

    @Test func aDamagedCodeIsReadRightOrNotAtAll() throws {
        let seed: UInt64 = 31
        var random = SplitMix64(seed: seed)
        let code = QRPicture.encode("https://login.example/mfa#0123456789abcdef")
        var read = 0
        for _ in 0..<40 {
            var damaged = code
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let patch = Picture.noise(width: 12, height: 12, seed: random.next())
                let limit = code.width - 12
                damaged.draw(
                    patch, x: .random(in: 0...limit, using: &random), y: .random(in: 0...limit, using: &random))
            }
            let found = payloads(damaged)
            read += found.count
            for payload in found {
                #expect(payload == secret(Array("https://login.example/mfa#0123456789abcdef".utf8)), "seed \(seed)")
            }
        }
        #expect(read > 0)
    }

    @Test func lightOnDarkIsReadAsWell() throws {
        var code = QRPicture.encode("https://login.example/#1", scale: 5)
        for y in 0..<code.height { for x in 0..<code.width { code[x, y] = ~code[x, y] } }
        #expect(payloads(code) == [secret(Array("https://login.example/#1".utf8))])
        // Beside a dark one it is found too, whichever is read first.
        let dark = QRPicture.encode("https://login.example/#2", scale: 5)
        var both = Picture(width: 900, height: 400, shade: 128)
        both.draw(dark, x: 40, y: 40)
        both.draw(code, x: 500, y: 40)
        #expect(payloads(both).count == 2)
    }

    @Test func aCodeOfAPixelAModuleIsRead() {
        let code = QRPicture.encode("https://login.example/mfa#0123456789abcdef", scale: 1)
        #expect(payloads(code) == [secret(Array("https://login.example/mfa#0123456789abcdef".utf8))])
    }

    private func live(_ scanner: inout Scanner, _ picture: Picture, frames: Int) -> [Int] {
        (0..<frames).map { _ in picture.withFrame(captured: .zero) { scanner.symbols(in: $0).count } }
    }

    @Test func aCameraSeesACodeAtOnceAndInEveryFrameAfterThat() {
        let code = QRPicture.encode("https://login.example/mfa#0123456789abcdef")
        var scanner = Scanner(effort: .withinBudget)
        let frame = code.placed(onWidth: 640, height: 480, x: 300, y: 200, shade: 200)
        #expect(live(&scanner, frame, frames: 12) == [Int](repeating: 1, count: 12))
        // It moves and is found again in the same frame.
        let moved = code.placed(onWidth: 640, height: 480, x: 10, y: 10, shade: 200)
        #expect(live(&scanner, moved, frames: 2) == [1, 1])
        let gone = Picture(width: 640, height: 480, shade: 200)
        #expect(live(&scanner, gone, frames: 6) == [Int](repeating: 0, count: 6))
    }

    @Test func aSymbolInATrackedRegionStandsWhereItIs() throws {
        let code = QRPicture.encode("https://login.example/mfa#0123456789abcdef")
        let frame = code.placed(onWidth: 640, height: 480, x: 300, y: 200, shade: 200)
        var scanner = Scanner(effort: .withinBudget)
        let seen = (0..<3).compactMap { _ in
            frame.withFrame(captured: .zero) { scanner.symbols(in: $0).first?.sighting }
        }
        #expect(seen.count == 3)
        for sighting in seen {
            #expect(sighting.frameWidth == 640 && sighting.frameHeight == 480)
            #expect(abs(sighting.centreX - (300 + code.width / 2)) < 12)
            #expect(abs(sighting.centreY - (200 + code.height / 2)) < 12)
        }
    }

    /// Another code that comes into view is found although the scanner looks for the known one first.
    @Test func aTrackedCodeHidesNoOtherForLong() {
        let (first, second) = (QRPicture.encode("first"), QRPicture.encode("second"))
        var frame = Picture(width: 900, height: 400, shade: 255)
        frame.draw(first, x: 20, y: 20)
        var scanner = Scanner(effort: .withinBudget)
        #expect(live(&scanner, frame, frames: 2) == [1, 1])
        frame.draw(second, x: 700, y: 200)
        #expect(live(&scanner, frame, frames: Track.longestRun + 1).contains(2))
    }

    @Test func everyPassHasItsTurnWithinTheBudget() {
        let turns = ScanPlan.inTurn
        let mean = turns.joined().map(\.cost).reduce(0, +) / Double(turns.count) + ScanPlan.everyFrame.cost
        #expect(mean <= ScanPlan.budget)
        // Light on dark, closer than half scale reaches, and the second decoder, within half a second at 30 frames
        // per second.
        let all = Set(turns.joined())
        #expect(turns.count <= 15)
        #expect(all.contains { $0.isInverted } && all.contains { $0.scale == .quarter })
        #expect(all.contains { $0.reader == .zbar })
    }
}
