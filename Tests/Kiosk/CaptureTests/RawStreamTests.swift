// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KioskPorts
import Patience
import PictureTestKit
import Testing
@testable import Capture

/// A stream without headers, through a real named pipe.
@Suite(.timeLimit(.minutes(10))) final class RawStreamTests {
    private let folder: TemporaryFolder
    private let pipe: String
    private let format: RawStreamFormat

    init() throws {
        folder = try TemporaryFolder.made()
        pipe = folder.path + "/film.yuv"
        // Safe: the text is lent for the call.
        let status = unsafe mkfifo(pipe, 0o600)
        try #require(status == 0)
        format = try #require(RawStreamFormat(width: 64, height: 2))
    }

    /// Luma of one shade and chroma of another.
    private func frame(_ shade: UInt8) -> [UInt8] {
        [UInt8](repeating: shade, count: 128) + [UInt8](repeating: 255, count: 64)
    }

    /// Opens the pipe as a program does, once there is a reader.
    private func openEnd() throws -> Int32 {
        var patience = Patience()
        repeat {
            let end = unsafe open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if end >= 0 { return end }
        } while patience.pause()
        throw NobodyReads()
    }

    /// Starts a program that films, and restarts it when its reader leaves, as the source expects. The source opens
    /// the pipe to check for a writer, so that a first frame may meet a reader that leaves.
    ///
    /// - Returns: the program's end of the pipe, and the shades of the frame that arrived.
    private func startProgram(
        writing bytes: [UInt8], to source: inout RawStreamSource
    ) throws -> (end: Int32, shades: Set<UInt8>) {
        for _ in 0..<20 {
            let end = try openEnd()
            // The source may leave before the write, and writing without a reader would end the tests by a signal.
            let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            write(bytes, to: end)
            close(reader)
            if let shades = try next(&source, tries: 20) { return (end, shades) }
            close(end)
        }
        throw NoFrame()
    }

    private func write(_ bytes: [UInt8], to end: Int32) {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(end, $0.baseAddress, $0.count) }
        #expect(count == bytes.count)
    }

    private func next(_ source: inout RawStreamSource) throws -> Set<UInt8> {
        guard let shades = try next(&source, tries: 200) else { throw NoFrame() }
        return shades
    }

    private func next(_ source: inout RawStreamSource, tries: Int) throws -> Set<UInt8>? {
        var shades: Set<UInt8> = []
        for _ in 0..<tries {
            let answer = try source.lendNext(within: .milliseconds(100)) { frame in
                frame.withPixels { span in for index in span.indices { shades.insert(span[index]) } }
            }
            if answer == .lent { return shades }
        }
        return nil
    }

    @Test func framesComeInPiecesAndTheirLumaIsLent() throws {
        var source = try RawStreamSource(path: pipe, format)
        let (end, shades) = try startProgram(writing: frame(6), to: &source)
        #expect(shades == [6])
        let bytes = frame(7)
        write(Array(bytes[..<50]), to: end)
        write(Array(bytes[50...]) + frame(8)[..<10], to: end)
        #expect(try next(&source) == [7])
        write(Array(frame(8)[10...]), to: end)
        #expect(try next(&source) == [8])
        close(end)
    }

    /// A program ends in the middle of a frame and starts again. Its next frame begins at its first byte.
    @Test func afterAnEndAFrameBeginsAnew() throws {
        var source = try RawStreamSource(path: pipe, format)
        let (first, shades) = try startProgram(writing: frame(1) + frame(2)[..<70], to: &source)
        #expect(shades == [1])
        close(first)
        var patience = Patience()
        while source.trouble == nil, patience.pause() {}
        #expect(source.trouble?.problem == "is written no more: the program that films has ended")
        let (second, newShades) = try startProgram(writing: frame(3), to: &source)
        #expect(newShades == [3])
        #expect(source.trouble == nil)
        close(second)
    }

    @Test func aRestClosesThePipe() throws {
        var source = try RawStreamSource(path: pipe, format)
        let (first, shades) = try startProgram(writing: frame(1), to: &source)
        #expect(shades == [1])
        source.pause()
        var patience = Patience()
        repeat {
            let end = unsafe open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if end < 0 { break }
            close(end)
        } while patience.pause()
        #expect(unsafe open(pipe, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO)
        // A writer from before is ignored, because its position within a frame is unknown.
        source.resume()
        #expect(try source.lendNext(within: .milliseconds(700)) { _ in } == .nothing)
        close(first)
        let (second, newShades) = try startProgram(writing: frame(4), to: &source)
        #expect(newShades == [4])
        close(second)
    }

    /// The beginning of this writer's frames is unknown.
    @Test func aWriterThatWasThereFirstIsTold() throws {
        // Both directions, so that it opens without a reader.
        let writer = unsafe open(pipe, O_RDWR | O_CLOEXEC)
        let clock = ManualFrameClock()
        let source = try RawStreamSource(path: pipe, format, clock: clock)
        var patience = Patience()
        while source.trouble == nil, patience.pause() { clock.wait(.milliseconds(100)) }
        #expect(source.trouble?.problem == "has a writer already, so the beginning of its frames is unknown")
        #expect(source.trouble?.remedy == "start the writer after the scanner")
        close(writer)
    }

    @Test func aPipeThatIsNotThereIsNamed() {
        let error = #expect(throws: FrameSourceError.self) {
            _ = try RawStreamSource(path: folder.path + "/none", format)
        }
        #expect(error?.code == .notFound)
    }

    private struct NobodyReads: Error {}
    private struct NoFrame: Error {}
}
