// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts

/// Gets at the luma of captured buffers. It keeps the memory that it needs from frame to frame.
struct LumaReader: ~Copyable {
    /// Result of reading a buffer.
    enum Answer: Sendable, Equatable {
        /// - Parameter isFlawed: whether it breaks a rule of its format, although nothing is missing.
        case lent(isFlawed: Bool)
        /// It is cut off or damaged, and nothing was lent.
        case undecodable(reason: String)
    }

    private var copy = FrameBuffer()
    private var spare = FrameBuffer()
    private var converter: LumaConverter?
    /// Whether a small picture will do. Only a JPEG costs less then: it is decoded small.
    var sparesSize = false

    /// Lends the luma of a frame.
    mutating func lend(_ buffer: CapturedBuffer, to body: (borrowing Frame) -> Void) -> Answer {
        let format = buffer.stream.format
        let (width, height) = (format.width, format.height)
        let captured = buffer.captured
        var isFlawed = false
        switch buffer.stream.layout {
        case .plane:
            let stride = max(format.bytesPerLine, width)
            if format.fields != .together {
                copy.resize(width, height)
                let needed = stride * (height - 1) + width
                let count = unsafe buffer.stream.withBytes(of: buffer) { bytes in
                    if bytes.count >= needed { unsafe copy.fill(from: bytes, stride: stride) }
                    return bytes.count
                }
                guard count >= needed else { return LumaReader.cutOff(count, of: needed) }
                break
            }
            return unsafe buffer.stream.withBytes(of: buffer) { bytes in
                let needed = stride * (height - 1) + width
                guard bytes.count >= needed else { return LumaReader.cutOff(bytes.count, of: needed) }
                // Safe: the buffer is ours until it is given back, and the frame cannot leave the call.
                unsafe body(
                    Frame(
                        borrowing: bytes.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                        stride: stride, captured: captured))
                return .lent(isFlawed: false)
            }
        case .everySecond(let first):
            let stride = max(format.bytesPerLine, 2 * width)
            copy.resize(width, height)
            let needed = stride * (height - 1) + 2 * width
            let count = unsafe buffer.stream.withBytes(of: buffer) { bytes in
                if bytes.count >= needed { unsafe PackedLuma.copy(bytes, from: first, stride: stride, to: &copy) }
                return bytes.count
            }
            guard count >= needed else { return LumaReader.cutOff(count, of: needed) }
        case .jpeg:
            do throws(JPEGLuma.Damage) {
                isFlawed = try unsafe buffer.stream.withBytes(of: buffer) { bytes throws(JPEGLuma.Damage) in
                    try unsafe CameraJPEG.decode(bytes, sparesSize: sparesSize, into: &copy)
                }
            } catch {
                return .undecodable(reason: error.reason)
            }
        case .converted:
            if converter?.belongs(to: buffer.stream) != true { converter = LumaConverter(buffer.stream) }
            let isWhole = unsafe buffer.stream.withBytes(of: buffer) { bytes in
                unsafe converter?.convert(bytes, into: &copy) ?? false
            }
            guard isWhole else { return .undecodable(reason: "libv4lconvert cannot convert it") }
        }
        copy.captured = captured
        format.fields.complete(&copy, with: &spare)
        copy.lend(to: body)
        return .lent(isFlawed: isFlawed)
    }

    private static func cutOff(_ count: Int, of needed: Int) -> Answer {
        .undecodable(reason: "\(count) of \(needed) bytes")
    }
}
