// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import CV4L2
import KioskPorts

/// Gets at the luma of captured buffers. It keeps the decoder and the memory that it needs from frame to frame.
struct LumaReader: ~Copyable {
    private var copy = FrameBuffer()
    private var jpeg: JPEGLumaDecoder?
    private var converter: LumaConverter?
    /// Whether a small picture will do. Only a JPEG costs less then: it is decoded small.
    var sparesSize = false

    /// Lends the luma of a frame.
    ///
    /// - Returns: false when the frame is cut off or damaged; then nothing was lent.
    mutating func lend(_ buffer: CapturedBuffer, to body: (borrowing Frame) -> Void) -> Bool {
        let format = buffer.stream.format
        let (width, height) = (format.width, format.height)
        let captured = buffer.captured
        switch buffer.stream.layout {
        case .plane:
            let stride = max(format.bytesPerLine, width)
            return unsafe buffer.stream.withBytes(of: buffer) { bytes in
                guard bytes.count >= stride * (height - 1) + width else { return false }
                // Safe: the buffer is ours until it is given back, and the frame cannot leave the call.
                unsafe body(
                    Frame(
                        borrowing: bytes.assumingMemoryBound(to: UInt8.self), width: width, height: height,
                        stride: stride, captured: captured))
                return true
            }
        case .everySecond(let first):
            let stride = max(format.bytesPerLine, 2 * width)
            copy.resize(width, height)
            let isWhole = unsafe buffer.stream.withBytes(of: buffer) { bytes in
                guard bytes.count >= stride * (height - 1) + 2 * width else { return false }
                unsafe PackedLuma.copy(bytes, from: first, stride: stride, to: &copy)
                return true
            }
            guard isWhole else { return false }
        case .jpeg:
            if jpeg == nil { jpeg = JPEGLumaDecoder() }
            let isWhole = unsafe buffer.stream.withBytes(of: buffer) { bytes in
                unsafe jpeg?.decode(bytes, into: &copy, sparesSize: sparesSize) ?? false
            }
            guard isWhole else {
                // The library goes on where the damaged header ended: the next picture needs a decoder without a past.
                jpeg = nil
                return false
            }
        case .converted:
            if converter?.belongs(to: buffer.stream) != true { converter = LumaConverter(buffer.stream) }
            let isWhole = unsafe buffer.stream.withBytes(of: buffer) { bytes in
                unsafe converter?.convert(bytes, into: &copy) ?? false
            }
            guard isWhole else { return false }
        }
        copy.captured = captured
        copy.lend(to: body)
        return true
    }
}
