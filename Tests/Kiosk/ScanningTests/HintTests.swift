// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import PictureTestKit
import Testing
@testable import Scanning

@Suite("The reason why a code cannot be read is shown once it lasts")
struct HintTests {
    /// An unreadable code: its corners are intact, and its middle is noise.
    private static func unreadable(scale: Int) -> Picture {
        var code = QRPicture.encode("https://login.example/mfa#0123456789abcdef", scale: scale)
        let corner = 13 * scale
        let side = code.width - corner - 4 * scale
        code.draw(.noise(width: side, height: side, seed: 4), x: corner, y: corner)
        return code.placed(onWidth: 640, height: 480, x: 100, y: 60, shade: 230)
    }

    private static func blurred(_ picture: Picture, reach: Int) -> Picture {
        var result = picture
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                var (sum, count) = (0, 0)
                for column in max(x - reach, 0)...min(x + reach, picture.width - 1) {
                    sum += Int(picture[column, y])
                    count += 1
                }
                result[x, y] = UInt8(sum / count)
            }
        }
        return result
    }

    /// Shows the picture at ten frames per second.
    private func advice(
        _ observer: inout HintObserver, _ picture: Picture, seconds: Range<Int>, hasSymbols: Bool = false
    ) -> [ScannerAdvice] {
        (seconds.lowerBound * 10..<seconds.upperBound * 10).compactMap { index in
            picture.withFrame(captured: .milliseconds(100 * index)) {
                observer.look(at: $0, hasSymbols: hasSymbols)
            }
        }
    }

    private static let black = Picture(width: 320, height: 240, shade: 8)
    private static let white = Picture(width: 320, height: 240, shade: 253)
    private static let room = Picture.noise(width: 320, height: 240, seed: 2)

    @Test(arguments: [
        (black, ScannerHint.tooDark), (white, .tooBright), (blurred(unreadable(scale: 8), reach: 20), .blurred),
        (unreadable(scale: 6), .unreadable),
    ])
    func eachReasonIsToldWithinTwoSecondsAndGoesAsFast(picture: Picture, hint: ScannerHint) {
        var observer = HintObserver()
        #expect(advice(&observer, picture, seconds: 0..<2).map(\.hint) == [hint])
        #expect(advice(&observer, picture, seconds: 2..<6).isEmpty)
        #expect(advice(&observer, HintTests.room, seconds: 6..<8).map(\.hint) == [nil])
    }

    @Test func aCodeWithTooFewPixelsIsTooSmall() {
        let finders = [(100, 100), (140, 100), (100, 140)].map { FinderSearch.Finder(x: $0.0, y: $0.1, module: 1.5) }
        let quality = HintTests.room.withFrame(captured: .zero) { FrameQuality(of: $0) }
        #expect(HintRule.hint(for: quality, finders: finders, now: nil) == .tooSmall)
        #expect(HintRule.hint(for: quality, finders: Array(finders.prefix(1)), now: nil) == nil)
    }

    @Test func aGlanceOfDarknessIsNotTold() {
        var observer = HintObserver()
        for second in stride(from: 0, to: 6, by: 2) {
            #expect(advice(&observer, HintTests.black, seconds: second..<second + 1).isEmpty)
            #expect(advice(&observer, HintTests.room, seconds: second + 1..<second + 2).isEmpty)
        }
    }

    @Test func aCodeThatIsReadEndsTheHintAtOnce() {
        var observer = HintObserver()
        #expect(advice(&observer, HintTests.black, seconds: 0..<2).map(\.hint) == [.tooDark])
        let end = HintTests.room.withFrame(captured: .milliseconds(2001)) {
            observer.look(at: $0, hasSymbols: true)
        }
        #expect(end?.hint == nil && end != nil)
        observer.reset()
        #expect(advice(&observer, HintTests.black, seconds: 3..<5).map(\.hint) == [.tooDark])
    }

    @Test func aHintIsKeptUntilItsReasonIsClearlyGone() {
        func hint(_ brightest: UInt8, now: ScannerHint?) -> ScannerHint? {
            var quality = Picture(width: 8, height: 8, shade: 0).withFrame(captured: .zero) { FrameQuality(of: $0) }
            quality.brightest = brightest
            quality.sharpness = 255
            return HintRule.hint(for: quality, finders: [], now: now)
        }
        #expect(hint(59, now: nil) == .tooDark && hint(60, now: nil) == nil)
        #expect(hint(74, now: .tooDark) == .tooDark && hint(75, now: .tooDark) == nil)
    }

    @Test func theCornersOfACodeAreFoundAtEverySize() {
        for scale in [2, 3, 4, 8, 12] {
            let code = QRPicture.encode("https://login.example/mfa#0123456789abcdef", scale: scale)
            let found = code.withFrame(captured: .zero) { FinderSearch.finders(in: $0) }
            #expect(found.count >= 3, "scale \(scale)")
            #expect(found.filter { abs($0.module - Double(scale)) < 0.5 }.count >= 3, "scale \(scale)")
        }
        #expect(HintTests.white.withFrame(captured: .zero) { FinderSearch.finders(in: $0) }.isEmpty)
        #expect(HintTests.black.withFrame(captured: .zero) { FinderSearch.finders(in: $0) }.isEmpty)
    }

    @Test func aMirrorImageIsTold() {
        let code = QRPicture.encode("https://login.example/mfa#0123456789abcdef")
        var mirrored = code
        for y in 0..<code.height { for x in 0..<code.width { mirrored[x, y] = code[code.width - 1 - x, y] } }
        for (picture, expected) in [(code, false), (mirrored, true)] {
            var scanner = Scanner(effort: .untilFound)
            let count = picture.withFrame(captured: .zero) { scanner.symbols(in: $0).count }
            #expect(count == 1 && scanner.isMirrored == expected)
        }
        var observer = HintObserver()
        let told = (0..<20).compactMap { index in
            mirrored.withFrame(captured: .milliseconds(100 * index)) {
                observer.look(at: $0, hasSymbols: true, isMirrored: true)?.hint
            }
        }
        #expect(told == [.mirrored])
    }

    @Test(
        "The light on a code's corners is told, however bright the room is",
        arguments: [
            (0, 255, 0, CodeView.corners(.tooBright)), (60, 236, 0, .corners(.tooBright)),
            (20, 200, 0, .corners(.right)),
            (8, 52, 0, .corners(.tooDark)), (0, 255, 255, .nothing),
        ])
    func lightOnTheCorners(black: Int, white: Int, veil: Int, expected: CodeView) {
        var picture = HintTests.unreadable(scale: 6)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let shade = black + Int(picture[x, y]) * (white - black) / 255
                picture[x, y] = UInt8(max(shade, veil))
            }
        }
        var observer = HintObserver()
        #expect(observer.view == .nothing)
        _ = advice(&observer, picture, seconds: 0..<1)
        #expect(observer.view == expected)
        _ = advice(&observer, picture, seconds: 1..<2, hasSymbols: true)
        #expect(observer.view == .read)
        observer.reset()
        #expect(observer.view == .nothing)
    }
}
