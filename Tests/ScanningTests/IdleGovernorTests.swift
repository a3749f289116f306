// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskCore
import PictureTestKit
import SeededRandomness
import Testing

@testable import Scanning

@Suite struct IdleGovernorTests {
    private func searched(_ governor: inout IdleGovernor, _ pictures: [Picture]) -> [Bool] {
        pictures.map { picture in picture.withFrame(captured: .zero) { governor.deserves($0) } }
    }

    /// The same room as a sensor sees it: never twice the same bytes.
    private func rooms(_ count: Int, noise: Int) -> [Picture] {
        var random = SplitMix64(seed: 8)
        return (0..<count).map { _ in
            var picture = Picture(width: 320, height: 180, shade: 90)
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    picture[x, y] = UInt8(90 + x / 4 + .random(in: 0...noise, using: &random))
                }
            }
            return picture
        }
    }

    @Test func anUnchangedPictureIsSearchedLessOften() {
        var governor = IdleGovernor()
        let answers = searched(&governor, rooms(90, noise: 12))
        #expect(!answers.prefix(IdleGovernor.patience).contains(false))
        let resting = answers.suffix(54)
        #expect(resting.count { $0 } == 54 / IdleGovernor.restingDistance)
    }

    @Test func aChangeIsSearchedAtOnce() {
        var governor = IdleGovernor()
        let rooms = rooms(60, noise: 12)
        _ = searched(&governor, rooms)
        var hand = rooms[0]
        hand.draw(Picture(width: 24, height: 24, shade: 230), x: 200, y: 100)
        #expect(searched(&governor, [hand]) == [true])
        #expect(searched(&governor, [Picture](repeating: hand, count: 20)) == [Bool](repeating: true, count: 20))
    }

    @Test func whoeverHoldsACodeDoesNotWait() {
        var governor = IdleGovernor()
        _ = searched(&governor, rooms(60, noise: 0))
        governor.wake()
        #expect(searched(&governor, rooms(20, noise: 0)) == [Bool](repeating: true, count: 20))
    }

    @Test func aPictureTooSmallToCompareIsSearched() {
        var governor = IdleGovernor()
        let small = Picture(width: 40, height: 40, shade: 90)
        #expect(!searched(&governor, [Picture](repeating: small, count: 60)).contains(false))
    }
}
