// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import PictureTestKit
import Patience
import Testing
@testable import Scanning

@Suite struct IdleGovernorTests {
    private func searched(_ governor: inout IdleGovernor, _ pictures: [Picture]) -> [Bool] {
        pictures.map { picture in picture.withFrame(captured: .zero) { governor.deserves($0) } }
    }

    /// The same room through a noisy sensor: never the same bytes twice.
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

    /// Checks one frame per second.
    private func look(_ governor: inout IdleGovernor, at picture: Picture, seconds: Range<Int>) -> [Bool] {
        seconds.map { second in picture.withFrame(captured: .seconds(second)) { governor.deserves($0) } }
    }

    @Test func aCameraThatMayRestDoesAfterAMinuteWithoutAChange() {
        var governor = IdleGovernor()
        let room = rooms(1, noise: 0)[0]
        _ = look(&governor, at: room, seconds: 0..<1000)
        #expect(!governor.isResting)
        governor.mayRest = true
        _ = look(&governor, at: room, seconds: 1000..<1060)
        #expect(!governor.isResting)
        #expect(look(&governor, at: room, seconds: 1060..<2000) == [Bool](repeating: false, count: 940))
        #expect(governor.isResting)
    }

    @Test func motionWakesItAtOnceAndItRestsAgainAMinuteLater() {
        var governor = IdleGovernor()
        governor.mayRest = true
        let room = rooms(1, noise: 0)[0]
        var hand = room
        hand.draw(Picture(width: 24, height: 24, shade: 230), x: 200, y: 100)
        _ = look(&governor, at: room, seconds: 0..<100)
        #expect(governor.isResting)
        #expect(look(&governor, at: hand, seconds: 100..<101) == [true])
        #expect(!governor.isResting)
        #expect(look(&governor, at: hand, seconds: 101..<120) == [Bool](repeating: true, count: 19))
        _ = look(&governor, at: hand, seconds: 120..<160)
        #expect(!governor.isResting)
        _ = look(&governor, at: hand, seconds: 160..<170)
        #expect(governor.isResting)
    }

    @Test func aKeyOrACodeWakesItToo() {
        let room = rooms(1, noise: 0)[0]
        let wakes: [(inout IdleGovernor) -> Void] = [{ $0.mayRest = false }, { $0.wake() }]
        for wake in wakes {
            var governor = IdleGovernor()
            governor.mayRest = true
            _ = look(&governor, at: room, seconds: 0..<100)
            #expect(governor.isResting)
            wake(&governor)
            #expect(!governor.isResting)
            #expect(look(&governor, at: room, seconds: 100..<120) == [Bool](repeating: true, count: 20))
        }
    }

    @Test func theSameRoomInASmallerPictureIsNoMotion() {
        var governor = IdleGovernor()
        governor.mayRest = true
        let room = rooms(1, noise: 12)[0]
        var small = Picture(width: 160, height: 90, shade: 0)
        for y in 0..<90 { for x in 0..<160 { small[x, y] = room[2 * x, 2 * y] } }
        _ = look(&governor, at: room, seconds: 0..<61)
        #expect(governor.isResting)
        _ = look(&governor, at: small, seconds: 61..<100)
        #expect(governor.isResting)
        small.draw(Picture(width: 12, height: 12, shade: 230), x: 100, y: 50)
        #expect(look(&governor, at: small, seconds: 100..<101) == [true])
    }

    @Test func aPictureTooSmallToCompareIsSearched() {
        var governor = IdleGovernor()
        let small = Picture(width: 40, height: 40, shade: 90)
        #expect(!searched(&governor, [Picture](repeating: small, count: 60)).contains(false))
    }
}
