// SPDX-License-Identifier: Apache-2.0

import Patience
import Capture
import KioskPorts
import PictureTestKit
import Testing

@Suite struct PictureSourceTests {
    /// Reads up to `count` frames: the first pixel and the time of each.
    private func play(
        _ source: inout PictureSource, count: Int
    ) throws(FrameSourceError) -> (frames: [(shade: UInt8, at: Duration)], hasEnded: Bool) {
        var frames: [(shade: UInt8, at: Duration)] = []
        while frames.count < count {
            let answer = try source.lendNext(within: .seconds(1)) { frame in
                frames.append((frame.withPixels { $0[0] }, frame.captured))
            }
            if answer == .ended { return (frames, true) }
        }
        return (frames, false)
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder.made()
        try folder.write(Picture(width: 2, height: 2, shade: 3).png(), to: "c.PNG")
        try folder.write(Picture(width: 3, height: 2, shade: 1).png(), to: "a.png")
        try folder.write(Picture(width: 2, height: 5, shade: 2).png(), to: "b.png")
        try folder.write([1, 2, 3], to: "notes.txt")
        try folder.write([1, 2, 3], to: ".hidden.png")
        return folder
    }

    @Test func whatCannotBeReadIsLeftOutAndToldOnce() throws {
        let folder = try TemporaryFolder.made()
        try folder.write(Picture(width: 1, height: 1, shade: 7).png(), to: "a.png")
        try folder.write([0x89, 0x50, 0x4E, 0x47], to: "b.png")
        try folder.write([], to: "c.png")
        try folder.write(Picture(width: 1, height: 1, shade: 9).png(), to: "d.png")
        var source = try PictureSource(folder: folder.path, playback: Playback(loops: true), clock: ManualFrameClock())
        var (shades, skipped): ([UInt8], [String]) = ([], [])
        for _ in 0..<8 {
            _ = try source.lendNext(within: .seconds(1)) { frame in shades.append(frame.withPixels { $0[0] }) }
            skipped += source.takeSkipped().map(\.place)
        }
        #expect(shades == [7, 9, 7, 9])
        #expect(skipped == [folder.path + "/b.png", folder.path + "/c.png"])
    }

    @Test func aFolderWithoutAnyPictureThatCanBeReadIsBroken() throws {
        let folder = try TemporaryFolder.made()
        for name in ["a.png", "b.png"] { try folder.write([], to: name) }
        var source = try PictureSource(folder: folder.path, playback: Playback(loops: true), clock: ManualFrameClock())
        #expect(try source.lendNext(within: .seconds(1)) { _ in } == .nothing)
        let error = #expect(throws: FrameSourceError.self) { try source.lendNext(within: .seconds(1)) { _ in } }
        #expect(error?.place.hasSuffix("b.png") == true)
    }

    /// While a folder is played in a loop its pictures may change, disappear and be joined by others, even a single
    /// picture.
    @Test func aFolderIsListedAgainEachTime() throws {
        let folder = try TemporaryFolder.made()
        try folder.write(Picture(width: 1, height: 1, shade: 1).png(), to: "a.png")
        var source = try PictureSource(folder: folder.path, playback: Playback(loops: true), clock: ManualFrameClock())
        #expect(try play(&source, count: 2).frames.map(\.shade) == [1, 1])
        try folder.write(Picture(width: 1, height: 2, shade: 2).png(), to: "a.png")
        #expect(try play(&source, count: 2).frames.map(\.shade) == [2, 2])
        try folder.write(Picture(width: 1, height: 1, shade: 3).png(), to: "b.png")
        #expect(try play(&source, count: 3).frames.map(\.shade) == [2, 3, 2])
    }

    @Test func picturesOfOtherKindsAreToldByName() throws {
        let folder = try TemporaryFolder.made()
        try folder.write(Array("\0\0\0\u{18}ftypheic".utf8), to: "a.HEIC")
        try folder.write(Picture(width: 1, height: 1, shade: 3).png(), to: "b.png")
        var source = try PictureSource(folder: folder.path, clock: ManualFrameClock())
        #expect(try play(&source, count: 3).frames.map(\.shade) == [3])
        #expect(source.takeSkipped().map(\.problem) == ["is a HEIC file, which is not read here"])
    }

    @Test func aFolderPlaysInOrderAtItsRateAndEnds() throws {
        let folder = try folder()
        var source = try PictureSource(folder: folder.path, playback: Playback(rate: 4), clock: ManualFrameClock())
        let (frames, hasEnded) = try play(&source, count: 10)
        #expect(frames.map(\.shade) == [1, 2, 3])
        #expect(frames.map(\.at) == [.seconds(1000), .milliseconds(1_000_250), .milliseconds(1_000_500)])
        #expect(hasEnded)
        #expect(!source.isLive)
    }

    @Test func aFrameThatIsNotDueIsNotWaitedForLongerThanAsked() throws {
        let folder = try folder()
        let clock = ManualFrameClock()
        var source = try PictureSource(folder: folder.path, playback: Playback(rate: 0.5), clock: clock)
        var lent = 0
        #expect(try source.lendNext(within: .seconds(1)) { _ in lent += 1 } == .lent)
        #expect(try source.lendNext(within: .milliseconds(1500)) { _ in lent += 1 } == .nothing)
        #expect(clock.now == .milliseconds(1_001_500))
        #expect(try source.lendNext(within: .milliseconds(1500)) { _ in lent += 1 } == .lent)
        #expect(clock.now == .seconds(1002))
        #expect(lent == 2)
    }

    @Test func oneFileIsShownOnce() throws {
        let folder = try folder()
        var source = PictureSource(file: folder.path + "/b.png", clock: ManualFrameClock())
        let (frames, hasEnded) = try play(&source, count: 10)
        #expect(frames.map(\.shade) == [2] && hasEnded)
    }

    @Test func aBrokenFileIsNamed() throws {
        let folder = try TemporaryFolder.made()
        let path = try folder.write(Array("hello".utf8), to: "broken.png")
        var source = try PictureSource(folder: folder.path, clock: ManualFrameClock())
        let error = #expect(throws: FrameSourceError.self) { try play(&source, count: 1) }
        #expect(error?.place == path && error?.code == .unsupportedFormat)
    }

    @Test func aFolderWithoutPicturesAndAMissingOneAreToldApart() throws {
        let folder = try TemporaryFolder.made()
        for (path, code) in [(folder.path, FrameSourceError.Code.empty), (folder.path + "/x", .notFound)] {
            let error = #expect(throws: FrameSourceError.self) { try PictureSource(folder: path) }
            #expect(error?.code == code)
        }
    }
}
