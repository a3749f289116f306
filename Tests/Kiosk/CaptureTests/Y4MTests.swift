// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import PictureTestKit
import Patience
import Testing
@testable import Capture

@Suite(.timeLimit(.minutes(10))) struct Y4MTests {
    private func clip(_ header: String, _ frames: [[UInt8]]) -> [UInt8] {
        Array("YUV4MPEG2 \(header)\n".utf8) + frames.flatMap { Array("FRAME\n".utf8) + $0 }
    }

    private func shades(_ source: inout Y4MFileSource, limit: Int) throws(FrameSourceError) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        while frames.count < limit {
            let answer = try source.lendNext(within: .seconds(10)) { frame in
                frames.append(frame.withPixels { pixels in (0..<frame.width * frame.height).map { pixels[$0] } })
            }
            if answer == .ended { break }
        }
        return frames
    }

    @Test(arguments: [
        ("W3 H2 Cmono", 0), ("W3 H2 F25:1 Ip A1:1 Cmono XA=B", 0), ("W3 H2", 4), ("W3 H2 C420jpeg", 4),
        ("W3 H2 C420mpeg2", 4), ("W3 H2 C420paldv", 4), ("H2 W3 C420", 4), ("W3 H2 C422 XYSCSS=422", 8),
        ("W3 H2 C444", 12), ("W3 H2 C411", 4), ("W3 H2 Cmono X\(String(repeating: "k", count: 4000))", 0),
        ("W3 H2 A1:1 Ip C420jpeg\r", 4),
    ])
    func aFilePlaysEveryFrame(header: String, chroma: Int) throws {
        let folder = try TemporaryFolder.made()
        let colour = [UInt8](repeating: 99, count: chroma)
        let frames: [[UInt8]] = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]
        let path = try folder.write(clip(header, frames.map { $0 + colour }), to: "clip.y4m")
        var source = try Y4MFileSource(path: path, clock: ManualFrameClock())
        #expect(try shades(&source, limit: 10) == frames)
        var loop = try Y4MFileSource(path: path, playback: Playback(loops: true), clock: ManualFrameClock())
        #expect(try shades(&loop, limit: 5) == [frames[0], frames[1], frames[0], frames[1], frames[0]])
    }

    @Test(arguments: [
        ("JUNK W3 H2 Cmono\n", FrameSourceError.Code.unsupportedFormat),
        ("YUV4MPEG2 W3 H2 C444p10\n", .unsupportedFormat),
        ("YUV4MPEG2 W3 H2 C420p10\n", .unsupportedFormat), ("YUV4MPEG2 W3\n", .malformed),
        ("YUV4MPEG2 W0 H2\n", .malformed), ("YUV4MPEG2 W-3 H2\n", .malformed), ("YUV4MPEG2 W8193 H2\n", .tooLarge),
        ("YUV4MPEG2 W99999999999999999999 H2\n", .malformed), ("", .empty),
        ("YUV4MPEG2 \(String(repeating: "X", count: 4100))\n", .malformed),
    ])
    func wrongHeadersAreRefused(header: String, code: FrameSourceError.Code) throws {
        let folder = try TemporaryFolder.made()
        let path = try folder.write(Array(header.utf8), to: "clip.y4m")
        let error = #expect(throws: FrameSourceError.self) { _ = try Y4MFileSource(path: path) }
        #expect(error?.code == code && error?.place == path)
    }

    /// The first field becomes a whole picture. A missing row is the mean of its neighbours.
    @Test(
        arguments: [
            ("W2 H4 It Cmono", [1, 9, 3, 9], [1, 2, 3, 3]), ("W2 H4 Ib Cmono", [1, 9, 3, 9], [1, 2, 3, 3]),
            ("W2 H4 A1:2 Cmono", [1, 3, 5, 7], [1, 2, 3, 4, 5, 6, 7, 7]),
            ("W2 H4 Ip A10:11 Cmono", [1, 9, 3, 9], [1, 9, 3, 9]),
            ("W2 H1 It Cmono", [1], [1]), ("W2 H4 A0:0 Cmono", [1, 9, 3, 9], [1, 9, 3, 9]),
        ] as [(String, [UInt8], [UInt8])])
    func fieldsBecomeAWholePicture(header: String, rows: [UInt8], expected: [UInt8]) throws {
        let folder = try TemporaryFolder.made()
        let frame = rows.flatMap { [$0, $0] }
        let path = try folder.write(clip(header, [frame, frame]), to: "clip.y4m")
        var source = try Y4MFileSource(path: path, clock: ManualFrameClock())
        let whole = expected.flatMap { [$0, $0] }
        #expect(try shades(&source, limit: 10) == [whole, whole])
    }

    @Test func linesMayEndAsOnWindows() throws {
        let folder = try TemporaryFolder.made()
        let bytes = Array("YUV4MPEG2 W1 H1 F25:1 Cmono\r\nFRAME\r\n\u{7}FRAME\r\n\u{9}".utf8)
        var source = try Y4MFileSource(path: try folder.write(bytes, to: "clip.y4m"), clock: ManualFrameClock())
        #expect(try shades(&source, limit: 10) == [[7], [9]])
    }

    @Test func aFileWithoutAWholeFrameIsEmptyAndJunkBetweenFramesIsNamed() throws {
        let folder = try TemporaryFolder.made()
        let start = Array("YUV4MPEG2 W3 H2 Cmono\n".utf8)
        for (bytes, code) in [
            (start, FrameSourceError.Code.empty), (start + Array("FRAME\nabc".utf8), .empty),
            (start + Array("FRAME\nabcdefGARBAGE\n".utf8), .malformed),
        ] {
            let path = try folder.write(bytes, to: "clip.y4m")
            var source = try Y4MFileSource(path: path, clock: ManualFrameClock())
            let error = #expect(throws: FrameSourceError.self) { try shades(&source, limit: 3) }
            #expect(error?.code == code)
        }
    }

    @Test func damagedFilesDoNoHarm() throws {
        let seed: UInt64 = 4
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder.made()
        let whole = clip("W3 H2 F30:1 Cmono", [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]])
        var refused = 0
        for _ in 0..<400 {
            let path = try folder.write(whole.damaged(1...3, using: &random), to: "clip.y4m")
            do {
                var source = try Y4MFileSource(path: path, clock: ManualFrameClock())
                #expect(try shades(&source, limit: 5).count <= 5, "seed \(seed)")
            } catch {
                refused += 1
            }
        }
        #expect(refused > 10)
    }

    @Test func aPipeLendsItsNewestFrameOnceAndEndsWithItsWriter() throws {
        let pipe = Pipe()
        // The source owns this end. Foundation owns the other.
        var source = try Y4MStreamSource(descriptor: dup(pipe.fileHandleForReading.fileDescriptor))
        let isLive = source.isLive
        #expect(isLive)
        let frames: [[UInt8]] = (0..<5).map { [UInt8](repeating: UInt8($0), count: 6) }
        try pipe.fileHandleForWriting.write(contentsOf: clip("W3 H2 Cmono", frames))
        try pipe.fileHandleForWriting.close()
        var shown: [UInt8] = []
        var answer = FrameSourceAnswer.nothing
        for _ in 0..<100 where answer != .ended {
            answer = try source.lendNext(within: .seconds(5)) { frame in shown.append(frame.withPixels { $0[5] }) }
        }
        #expect(answer == .ended)
        // Replaced frames are counted, and the last one always arrives.
        #expect(shown.last == 4)
        #expect(shown == shown.sorted() && Set(shown).count == shown.count)
        let dropped = source.dropped
        #expect(dropped == UInt64(5 - shown.count))
    }

    @Test func aSilentPipeKeepsNobodyWaiting() throws {
        let pipe = Pipe()
        var source = try Y4MStreamSource(descriptor: dup(pipe.fileHandleForReading.fileDescriptor))
        #expect(try source.lendNext(within: .milliseconds(1)) { _ in } == .nothing)
        // Dropping the source ends its thread, although the writer is still there.
    }

    @Test func aNamedPipeMayBeOpenedBeforeItsWriter() throws {
        let folder = try TemporaryFolder.made()
        let path = folder.path + "/fifo"
        let status = unsafe mkfifo(path, 0o600)
        try #require(status == 0)
        var source = try SourceSpecification("y4m:\(path)").open()
        #expect(try source.lendNext(within: .milliseconds(1)) { _ in } == .nothing)
        // Each writer leaves, and the source waits for the next.
        for shade in [5, 6, 7] as [UInt8] {
            let writer = try #require(FileHandle(forWritingAtPath: path))
            try writer.write(contentsOf: clip("W3 H2 Cmono", [[UInt8](repeating: shade, count: 6)]))
            try writer.close()
            var shown: [UInt8] = []
            for _ in 0..<100 where shown.isEmpty {
                let answer = try source.lendNext(within: .seconds(5)) { frame in
                    shown.append(frame.withPixels { $0[0] })
                }
                #expect(answer != .ended)
            }
            #expect(shown == [shade])
            var patience = Patience()
            while source.trouble == nil, patience.pause() {}
            #expect(source.trouble?.problem == "is written no more: the program that films has ended")
        }
    }

    @Test func aPipeThatBringsNothingIsTold() throws {
        let folder = try TemporaryFolder.made()
        let path = folder.path + "/fifo"
        let status = unsafe mkfifo(path, 0o600)
        try #require(status == 0)
        var source = try Y4MStreamSource(path: path, patience: .milliseconds(1))
        var patience = Patience()
        while source.trouble == nil, patience.pause() {}
        #expect(source.trouble?.code == .silent)
        #expect(source.trouble?.problem.hasPrefix("has brought nothing yet") == true)
        let writer = try #require(FileHandle(forWritingAtPath: path))
        try writer.write(contentsOf: clip("W3 H2 Cmono", [[5, 5, 5, 5, 5, 5]]))
        // A writer that stalls.
        patience.renew()
        while source.trouble?.problem.hasPrefix("has brought no frame") != true, patience.pause() {}
        #expect(source.trouble?.problem.hasPrefix("has brought no frame") == true)
        #expect(try source.lendNext(within: .seconds(5)) { _ in } == .lent)
        try writer.write(contentsOf: Array("FRAME\n".utf8) + [6, 6, 6, 6, 6, 6])
        var shown: [UInt8] = []
        for _ in 0..<100 where shown.isEmpty {
            _ = try source.lendNext(within: .seconds(5)) { frame in shown.append(frame.withPixels { $0[0] }) }
        }
        #expect(shown == [6])
        try writer.close()
    }
}
