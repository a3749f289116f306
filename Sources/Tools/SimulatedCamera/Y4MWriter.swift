// SPDX-License-Identifier: Apache-2.0

public import Capture
import Glibc
public import KioskPorts
import LinuxSystem

/// Writes frames to a pipe as grey Y4M. Use it on a `SystemThread`: it blocks while the reader is slow, and there a
/// pipe without a reader is an answer, not a signal.
public struct Y4MWriter: ~Copyable {
    /// The longest wait for a slow reader until `isStopped` is asked again.
    private static let writableWait = Duration.milliseconds(100)

    private let output: Descriptor
    private let width: Int
    private let height: Int
    private let rate: Int
    private var hasHeader = false
    /// Whether the reader is gone or the writer was stopped, perhaps in the middle of a frame.
    private var isOver = false

    /// - Parameters:
    ///   - width: of every frame, in pixels, as is `height`.
    ///   - rate: frames a second, for the header.
    public init(_ output: consuming Descriptor, width: Int, height: Int, rate: Int) {
        // A write to a full pipe must return, so that the thread can be stopped.
        _ = fcntl(output.number, F_SETFL, fcntl(output.number, F_GETFL) | O_NONBLOCK)
        self.output = output
        self.width = width
        self.height = height
        self.rate = rate
    }

    /// Whether a process reads.
    var hasReader: Bool { !Poll.hasNoReader(output.number) }

    /// Writes one frame whole.
    ///
    /// - Parameter isStopped: asked again and again while the reader is slow.
    /// - Returns: false when the reader is gone or `isStopped` returned true. From then on nothing more is written,
    ///   because the pipe may hold an incomplete frame.
    public mutating func write(_ frame: borrowing Frame, unless isStopped: () -> Bool) -> Bool {
        precondition(frame.width == width && frame.height == height)
        if !isOver { isOver = !sendWhole(frame, isStopped) }
        return !isOver
    }

    private mutating func sendWhole(_ frame: borrowing Frame, _ isStopped: () -> Bool) -> Bool {
        var text = "FRAME\n"
        if !hasHeader {
            text = "YUV4MPEG2 W\(width) H\(height) F\(rate):1 Ip A1:1 Cmono\n" + text
            hasHeader = true
        }
        let start = Array(text.utf8)
        // Safe: lent for the call.
        guard unsafe start.withUnsafeBufferPointer({ unsafe send($0, isStopped) }) else { return false }
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        return unsafe frame.withUnsafePixels { pixels in
            if stride == width {
                return unsafe send(UnsafeBufferPointer(rebasing: pixels[..<(width * height)]), isStopped)
            }
            for y in 0..<height {
                let row = unsafe UnsafeBufferPointer(rebasing: pixels[y * stride..<y * stride + width])
                guard unsafe send(row, isStopped) else { return false }
            }
            return true
        }
    }

    private func send(_ bytes: UnsafeBufferPointer<UInt8>, _ isStopped: () -> Bool) -> Bool {
        var done = 0
        while done < bytes.count {
            guard !isStopped() else { return false }
            guard Poll.isWritable(output.number, within: Self.writableWait) else { continue }
            // Safe: the rest of the caller's bytes.
            let count = unsafe Glibc.write(
                output.number, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
