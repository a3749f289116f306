// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import LinuxSystem

/// Reads a Y4M stream from a descriptor, one frame after the other.
struct Y4MReader: ~Copyable {
    private let input: Descriptor
    private let place: String
    // The wait for a pipe; nil for a file.
    private let wait: Y4MWait?
    private var unused: [UInt8] = []
    private var spare = FrameBuffer()
    private var hasHeader = false

    init(_ input: consuming Descriptor, place: String, wait: Y4MWait? = nil) {
        self.input = input
        self.place = place
        self.wait = wait
    }

    /// - Returns: nil when the stream ends before the line does, or the wait was ended.
    mutating func header() throws(FrameSourceError) -> Y4MHeader? {
        guard let line = try line() else { return nil }
        let header = try Y4MHeader(line: line, from: place)
        hasHeader = true
        return header
    }

    /// Reads the luma of the next frame; of one in fields, a whole picture is made.
    ///
    /// - Parameter picture: its memory is used again.
    /// - Returns: false at the end of the stream, also in the middle of a frame, as when the writer leaves.
    mutating func frame(_ header: Y4MHeader, into picture: inout FrameBuffer) throws(FrameSourceError) -> Bool {
        guard let line = try line() else { return false }
        guard line.starts(with: "FRAME".utf8) else {
            throw FrameSourceError(
                .malformed, at: place, problem: "has no FRAME where one must start", remedy: "write the stream again")
        }
        picture.resize(header.width, header.height)
        guard try fill(&picture.pixels, count: header.lumaCount) else { return false }
        // Out of `self` while `self` fills it.
        var chroma: [UInt8] = []
        swap(&chroma, &unused)
        defer { swap(&chroma, &unused) }
        guard try fill(&chroma, count: header.chromaCount) else { return false }
        header.fields.complete(&picture, with: &spare)
        return true
    }

    /// Closes the descriptor. The reader lives until this call.
    consuming func close() {}

    /// Goes back to the first byte of a file.
    func rewind() {
        lseek(input.number, 0, SEEK_SET)
    }

    private mutating func line() throws(FrameSourceError) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: [UInt8] = []
        // Lines are short and few: one read a byte keeps the frame's bytes where `fill` can read them in one piece.
        while try fill(&byte, count: 1) {
            if byte[0] == UInt8(ascii: "\n") {
                // Programs for Windows end a line with CR LF.
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return line
            }
            guard line.count < Y4MHeader.maximumLine else {
                throw FrameSourceError(
                    .malformed, at: place, problem: "has a line of more than \(Y4MHeader.maximumLine) bytes",
                    remedy: "give a Y4M stream")
            }
            line.append(byte[0])
        }
        return nil
    }

    private func fill(_ bytes: inout [UInt8], count: Int) throws(FrameSourceError) -> Bool {
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
        var done = 0
        while done < count {
            if let wait, !wait.forInput(input.number, hasBegun: hasHeader) { return false }
            // Safe: the rest of our own buffer.
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(input.number, buffer.baseAddress.map { unsafe $0 + done }, count - done)
            }
            if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard got >= 0 else {
                throw FrameSourceError(
                    .unreadable, at: place, problem: "cannot be read (\(systemErrorText()))", remedy: "start it again"
                )
            }
            guard got > 0 else { return false }
            done += got
        }
        return true
    }
}
