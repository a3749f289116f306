// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskCore
import PictureTestKit
import Testing

@testable import Scanning

@Suite struct AdaptiveThresholdTests {
    /// The definition, without any carried sum.
    private func reference(_ picture: Picture, reach: Int, offset: Int) -> [UInt8] {
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
                result.append((Int(picture[x, y]) + offset) * count < sum ? 0 : 255)
            }
        }
        return result
    }

    @Test(arguments: [(1, 1), (1, 40), (40, 1), (5, 7), (31, 31), (33, 50), (70, 45)])
    func itIsWhatItsDefinitionSays(width: Int, height: Int) throws {
        let picture = Picture.noise(width: width, height: height, seed: UInt64(width * 100 + height))
        var threshold = AdaptiveThreshold(window: 31, offset: 5)
        var target = LumaBuffer()
        // Twice, because the second time works in used memory.
        for _ in 0..<2 {
            picture.withFrame(captured: .zero) { threshold.apply($0, to: &target) }
            let result = target.withFrame(captured: .zero) { frame in
                frame.withPixels { pixels in (0..<width * height).map { pixels[$0] } }
            }
            #expect(result == reference(picture, reach: 15, offset: 5))
        }
    }

    @Test func halvingTakesTheMeanOfFourAndLeavesAnOddEdgeOut() throws {
        let picture = Picture(width: 5, height: 3, pixels: [0, 4, 10, 10, 1, 8, 13, 10, 11, 2, 9, 9, 9, 9, 9])
        var target = LumaBuffer()
        picture.withFrame(captured: .zero) { HalfScale.apply($0, to: &target) }
        let result = target.withFrame(captured: .zero) { frame in
            frame.withPixels { pixels in (0..<frame.width * frame.height).map { pixels[$0] } }
        }
        #expect(target.width == 2 && target.height == 1)
        #expect(result == [6, 10])
    }
}
