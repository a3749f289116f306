// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import PictureTestKit
import Testing
@testable import Scanning

@Suite struct AdaptiveThresholdTests {
    /// The definition, without running sums.
    private func reference(_ picture: Picture, reach: Int, offset: Int, isInverted: Bool) -> [UInt8] {
        var result: [UInt8] = []
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                var (sum, count) = (0, 0)
                for row in max(y - reach, 0)...min(y + reach, picture.height - 1) {
                    for column in max(x - reach, 0)...min(x + reach, picture.width - 1) {
                        sum += Int(picture[column, row])
                        count += 1
                    }
                }
                let pixel = Int(picture[x, y])
                let isBlack = isInverted ? (pixel - offset) * count > sum : (pixel + offset) * count < sum
                result.append(isBlack ? 0 : 255)
            }
        }
        return result
    }

    private func bytes(_ buffer: LumaBuffer) -> [UInt8] {
        buffer.withFrame(captured: .zero) { frame in
            frame.withPixels { pixels in (0..<frame.width * frame.height).map { pixels[$0] } }
        }
    }

    @Test(arguments: [(1, 1), (1, 40), (40, 1), (5, 7), (31, 31), (33, 50), (70, 45), (101, 60)])
    func itIsWhatItsDefinitionSays(width: Int, height: Int) throws {
        let picture = Picture.noise(width: width, height: height, seed: UInt64(width * 100 + height))
        var threshold = AdaptiveThreshold()
        let target = LumaBuffer()
        // The second time uses memory again.
        for isInverted in [false, true] {
            picture.withFrame(captured: .zero) {
                threshold.apply($0, window: .medium, isInverted: isInverted, to: target)
            }
            #expect(bytes(target) == reference(picture, reach: 15, offset: 5, isInverted: isInverted))
        }
    }

    @Test func halvingTakesTheMeanOfFourAndLeavesAnOddEdgeOut() throws {
        let picture = Picture(width: 5, height: 3, pixels: [0, 4, 10, 10, 1, 8, 13, 10, 11, 2, 9, 9, 9, 9, 9])
        let target = LumaBuffer()
        picture.withFrame(captured: .zero) { HalfScale.apply($0, to: target) }
        #expect(target.width == 2 && target.height == 1 && bytes(target) == [6, 10])
    }

    @Test func wideRowsAreHalvedAndInvertedAlike() {
        let picture = Picture.noise(width: 71, height: 6, seed: 3)
        let (half, inverse) = (LumaBuffer(), LumaBuffer())
        picture.withFrame(captured: .zero) {
            HalfScale.apply($0, to: half)
            Inversion.apply($0, to: inverse)
        }
        let means = (0..<3 * 35).map { place in
            let (x, y) = (2 * (place % 35), 2 * (place / 35))
            let four = [picture[x, y], picture[x + 1, y], picture[x, y + 1], picture[x + 1, y + 1]]
            return UInt8((four.reduce(2) { $0 + Int($1) }) / 4)
        }
        #expect(bytes(half) == means)
        #expect(bytes(inverse) == picture.pixels.map { ~$0 })
    }

    @Test func aThirdIsTheMeanOfNine() {
        let picture = Picture(width: 4, height: 3, pixels: [10, 20, 30, 0, 40, 50, 60, 0, 70, 80, 90, 0])
        let third = LumaBuffer()
        picture.withFrame(captured: .zero) { ThirdScale.apply($0, to: third) }
        #expect(bytes(third) == [50] && third.width == 1)
    }

    @Test func aPictureAtAScaleIsMadeOnceAFrame() {
        let (dark, light) = (Picture(width: 4, height: 4, shade: 0), Picture(width: 4, height: 4, shade: 255))
        var prepared = PreparedFrame()
        for picture in [dark, light] {
            for _ in 1...2 {
                let half = picture.withFrame(captured: .zero) { prepared.picture(at: .half, of: $0) }
                let pixels = half.map { bytes($0) } ?? []
                #expect(pixels == [0, 0, 0, 0])
            }
        }
        prepared.forget()
        let quarter = light.withFrame(captured: .zero) { prepared.picture(at: .quarter, of: $0) }
        let pixels = quarter.map { bytes($0) } ?? []
        #expect(pixels == [255])
        let low = Picture(width: 4, height: 1, shade: 0)
        for scale in [ScanPass.Scale.full, .full, .half, .third] {
            let isMade = low.withFrame(captured: .zero) { prepared.picture(at: scale, of: $0) != nil }
            #expect(!isMade, "\(scale)")
        }
    }
}
