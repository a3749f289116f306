// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import LinuxSystem
import Patience
import PictureTestKit
import SimulatedCamera
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct Y4MWriterTests {
    @Test func whatTheWriterWritesTheSourceReads() throws {
        let pipe = Pipe()
        let pictures = (1...3).map { Picture.noise(width: 320, height: 200, seed: $0) }
        let output = dup(pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        let writer = SystemThread.required {
            var writer = Y4MWriter(Descriptor(owning: output), width: 320, height: 200, rate: 15)
            for picture in pictures {
                picture.withFrame(captured: .zero) { frame in _ = writer.write(frame) { false } }
            }
        }
        let bytes = try #require(try pipe.fileHandleForReading.readToEnd())
        _ = consume writer
        let folder = try TemporaryFolder.made()
        var source = try Y4MFileSource(path: try folder.write(Array(bytes), to: "clip.y4m"), clock: ManualFrameClock())
        var frames: [[UInt8]] = []
        while frames.count <= pictures.count {
            let answer = try source.lendNext(within: .seconds(10)) { frame in
                frames.append(frame.withPixels { pixels in pixels.indices.map { pixels[$0] } })
            }
            if answer == .ended { break }
        }
        #expect(frames == pictures.map(\.pixels))
    }

    @Test func aReaderThatLeavesEndsTheWriterWithoutASignal() throws {
        let pipe = Pipe()
        let output = dup(pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        try pipe.fileHandleForReading.close()
        let wasWritten = Atomic(true)
        let writer = SystemThread.required {
            var writer = Y4MWriter(Descriptor(owning: output), width: 8, height: 8, rate: 15)
            Picture(width: 8, height: 8, shade: 0).withFrame(captured: .zero) { frame in
                wasWritten.store(writer.write(frame) { false }, ordering: .relaxed)
            }
        }
        _ = consume writer
        let isWritten = wasWritten.load(ordering: .relaxed)
        #expect(!isWritten)
    }

    @Test func afterAnIncompleteFrameNothingIsWritten() throws {
        let pipe = try FilmPipe()
        defer { close(pipe.reader) }
        // Larger than a pipe's buffer.
        let picture = Picture(width: 640, height: 480, shade: 0)
        var writer = Y4MWriter(Descriptor(owning: pipe.writer), width: 640, height: 480, rate: 15)
        var questions = 0
        let isWritten = picture.withFrame(captured: .zero) { frame in
            writer.write(frame) {
                questions += 1
                return questions > 3
            }
        }
        #expect(!isWritten)
        let isAskedAgain = picture.withFrame(captured: .zero) { frame in
            var isAsked = false
            _ = writer.write(frame) {
                isAsked = true
                return true
            }
            return isAsked
        }
        #expect(!isAskedAgain)
    }
}
