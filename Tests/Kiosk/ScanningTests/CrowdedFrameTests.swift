// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc
import KioskPorts
import LoginValues
import Patience
import PictureTestKit
import Testing

@testable import Scanning

/// Sheets of finder patterns, on paper or on a telephone's screen: zxing-cpp's work grows with the cube of their number.
@Suite struct CrowdedFrameTests {
    private static let text = "https://login.example/mfa#0123456789abcdef"

    /// - Parameters:
    ///   - module: pixels of a module.
    ///   - pitch: modules from one pattern to the next.
    ///   - share: the part of the width that has patterns.
    static func sheet(width: Int = 1280, height: Int = 720, module: Int, pitch: Int, share: Double = 1) -> Picture {
        var picture = Picture(width: width, height: height, shade: 235)
        let step = module * pitch
        for top in stride(from: module, through: height - 8 * module, by: step) {
            for left in stride(from: module, through: Int(Double(width) * share) - 8 * module, by: step) {
                draw(&picture, left, top, module)
            }
        }
        return picture
    }

    static func draw(_ picture: inout Picture, _ left: Int, _ top: Int, _ module: Int) {
        for y in 0..<7 * module {
            for x in 0..<7 * module {
                let ring = min(x / module, y / module, 6 - x / module, 6 - y / module)
                picture[left + x, top + y] = ring == 1 ? 235 : 20
            }
        }
    }

    private static func blurred(_ picture: Picture, noise: Int, seed: UInt64) -> Picture {
        var random = SplitMix64(seed: seed)
        var result = picture
        for y in 1..<picture.height - 1 {
            for x in 1..<picture.width - 1 {
                var sum = 0
                for (dx, dy, weight) in [(0, 0, 4), (1, 0, 2), (-1, 0, 2), (0, 1, 2), (0, -1, 2)] {
                    sum += weight * Int(picture[x + dx, y + dy])
                }
                let value = sum / 12 + Int.random(in: -noise...noise, using: &random)
                result[x, y] = UInt8(min(max(value, 0), 255))
            }
        }
        return result
    }

    private func count(_ picture: Picture) -> Int {
        picture.withFrame(captured: .zero) { FinderSearch.count(in: $0, atMost: 5000).finders }
    }

    private func frames(_ scanner: inout Scanner, _ picture: Picture, until isEnough: ([Symbol]) -> Bool) -> Int? {
        for frame in 1...60 {
            let found = picture.withFrame(captured: .zero) { scanner.symbols(in: $0) }
            for symbol in found { #expect(symbol.payload == SecretBytes(copying: Array(Self.text.utf8))) }
            if isEnough(found) { return frame }
        }
        return nil
    }

    @Test(arguments: [(6, 20), (3, 14), (3, 8), (2, 8)], [4, 6])
    func aCodeBesideASheetIsReadAndTheNextOneAtOnce(sheet: (module: Int, pitch: Int), scale: Int) throws {
        var view = Self.sheet(module: sheet.module, pitch: sheet.pitch)
        let code = QRPicture.encode(Self.text, scale: scale)
        view.draw(code, x: 700, y: 300)
        var scanner = Scanner(effort: .withinBudget)
        let first = frames(&scanner, view) { !$0.isEmpty }
        #expect(first != nil, "\(sheet) \(scale)")
        let plain = code.placed(onWidth: 1280, height: 720, x: 100, y: 100, shade: 235)
        #expect(frames(&scanner, plain) { !$0.isEmpty } == 1)
        let isCrowded = scanner.isCrowded
        #expect(!isCrowded)
        var alone = Scanner(effort: .untilFound)
        let read = view.withFrame(captured: .zero) { alone.symbols(in: $0) }
        #expect(read.map(\.payload) == [SecretBytes(copying: Array(Self.text.utf8))])
    }

    @Test func aSheetIsToldAndTheLightIsLeftAlone() {
        let view = Self.sheet(module: 3, pitch: 14)
        var scanner = Scanner(effort: .withinBudget)
        var observer = HintObserver()
        var told: [ScannerHint?] = []
        for index in 0..<15 {
            let advice = view.withFrame(captured: .milliseconds(100 * index)) { frame in
                let found = scanner.symbols(in: frame)
                return observer.look(at: frame, hasSymbols: !found.isEmpty, isCrowded: scanner.isCrowded)
            }
            if let advice { told.append(advice.hint) }
        }
        #expect(told == [.tooManyCodes])
        #expect(observer.view == .nothing)
    }

    /// Pixels of a screen, filmed askew: they look like finder patterns to zxing-cpp, but not to a person.
    private static func screen(pitch: Double, angle: Double) -> Picture {
        var picture = Picture(width: 640, height: 480, shade: 0)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let across = Double(x) * cos(angle) + Double(y) * sin(angle)
                let down = Double(y) * cos(angle) - Double(x) * sin(angle)
                let light = (1 + cos(2 * .pi * across / pitch)) * (1 + cos(2 * .pi * down / pitch)) / 4
                picture[x, y] = UInt8(40 + 200 * light)
            }
        }
        return picture
    }

    @Test(arguments: [(2.3, 0.3), (2.7, 0.3), (3.1, 0.02), (3.6, 0.02), (3.6, 0.3)])
    func aTextureIsNotToldAsManyCodes(pitch: Double, angle: Double) {
        let view = Self.screen(pitch: pitch, angle: angle)
        var scanner = Scanner(effort: .withinBudget)
        var observer = HintObserver()
        for index in 0..<15 {
            let advice = view.withFrame(captured: .milliseconds(100 * index)) { frame in
                let found = scanner.symbols(in: frame)
                let isCrowded = scanner.isCrowded
                #expect(found.isEmpty && isCrowded)
                return observer.look(at: frame, hasSymbols: false, isCrowded: isCrowded)
            }
            #expect(advice?.hint != .tooManyCodes)
        }
    }

    /// Decoders take longer for noise: a large picture of it gets fewer passes.
    @Test func noiseCostsMoreOfAPicturesBudget() {
        var random = SplitMix64(seed: 3)
        var noise = Picture(width: 320, height: 240, shade: 20)
        for y in 0..<240 { for x in 0..<320 where Bool.random(using: &random) { noise[x, y] = 235 } }
        let light = Picture(width: 320, height: 240, shade: 200)
        func passes(_ picture: Picture) -> Int {
            var scanner = Scanner(effort: .untilFound, picturePlan: ScanPlan.picture, pictureBudget: 0.35)
            _ = picture.withFrame(captured: .zero) { scanner.symbols(in: $0).count }
            return scanner.passes
        }
        // There is no room for the two passes on an enlarged picture.
        #expect(passes(light) == ScanPlan.picture.count - 2)
        #expect((3...12).contains(passes(noise)))
    }

    @Test(arguments: [(6, 20), (3, 14), (3, 8), (2, 8), (1, 9)])
    func everyPatternIsCounted(module: Int, pitch: Int) {
        for share in [0.3, 1] {
            let sheet = Self.sheet(module: module, pitch: pitch, share: share)
            let rows = (720 - 9 * module) / (module * pitch) + 1
            let columns = (Int(1280 * share) - 9 * module) / (module * pitch) + 1
            #expect(count(sheet) >= min(rows * columns, 5000), "\(module) \(pitch) \(share)")
            let blurred = Self.blurred(sheet, noise: 12, seed: 5)
            guard module > 1 else { continue }
            let prepared = LumaBuffer()
            var average = LocalAverage()
            let hasContrast = blurred.withFrame(captured: .zero) { average.apply($0, to: prepared) }
            let found = prepared.withFrame(captured: .zero) { FinderSearch.count(in: $0, atMost: 5000).finders }
            #expect(hasContrast && found >= rows * columns * 9 / 10, "\(module) \(pitch) \(share) \(found)")
        }
    }

    /// Pictures made to cost much: sheets of all sizes and places, of both polarities, some seen only when the picture
    /// is halved or inverted. `make test-qr-long` takes 2,000.
    @Test func noPictureCostsMoreThanIsAllowed() {
        let seed: UInt64 = 4101
        var random = SplitMix64(seed: seed)
        for index in 0..<TestEffort.rounds(20) {
            let picture = Self.hostile(&random)
            for effort in [ScanEffort.withinBudget, .untilFound] {
                var scanner = Scanner(effort: effort)
                let limit = effort == .untilFound ? ScanPlan.setsOfPicture : ScanPlan.setsOfFrame
                for _ in 0..<(effort == .untilFound ? 1 : 3) {
                    let found = picture.withFrame(captured: .zero) { scanner.symbols(in: $0).count }
                    let work = scanner.work
                    #expect(found == 0 && work <= limit, "seed \(seed), picture \(index), \(work)")
                }
            }
        }
    }

    static func hostile(_ random: inout SplitMix64) -> Picture {
        let (width, height) = [(640, 480), (1280, 720), (800, 600)][Int.random(in: 0..<3, using: &random)]
        var picture = Picture(width: width, height: height, shade: UInt8.random(in: 160...255, using: &random))
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let module = Int.random(in: 1...4, using: &random)
            let pitch = Int.random(in: 8...20, using: &random)
            let (jitter, leaving) = (Int.random(in: 0...module, using: &random), Int.random(in: 0...3, using: &random))
            for top in stride(from: 0, through: height - 8 * module - jitter, by: module * pitch) {
                for left in stride(from: 0, through: width - 8 * module - jitter, by: module * pitch)
                where Int.random(in: 0..<10, using: &random) >= leaving {
                    draw(
                        &picture, left + Int.random(in: 0...jitter, using: &random),
                        top + Int.random(in: 0...jitter, using: &random), module)
                }
            }
        }
        if Bool.random(using: &random) {
            for y in 0..<height { for x in 0..<width { picture[x, y] = ~picture[x, y] } }
        }
        if Bool.random(using: &random) {
            picture = blurred(picture, noise: Int.random(in: 0...20, using: &random), seed: random.next())
        }
        return picture
    }
}
