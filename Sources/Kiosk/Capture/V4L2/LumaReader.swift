// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts

/// Gets at the luma of captured buffers. It keeps the memory that it needs from frame to frame.
struct LumaReader: ~Copyable {
    /// Result of reading a buffer.
    enum Answer: Sendable, Equatable {
        /// - Parameter isFlawed: whether it breaks a rule of its format, although nothing is missing.
        case lent(isFlawed: Bool)
        /// The frame is cut off or damaged, and nothing was lent.
        case undecodable(reason: String)
    }

    private var copy = FrameBuffer()
    private var spare = FrameBuffer()
    private var converter: LumaConverter?
    /// Whether a small picture is enough. This saves time only for a JPEG, which is then decoded at a smaller size.
    var sparesSize = false

    /// Lends the luma of a frame.
    mutating func lend(_ buffer: CapturedBuffer, to body: (borrowing Frame) -> Void) -> Answer {
        let answer: Answer
        switch buffer.stream.layout {
        case .plane where buffer.stream.format.fields == .together: return LumaReader.lendPlane(buffer, to: body)
        case .plane: answer = copyFields(buffer)
        case .everySecond(let first): answer = copyPacked(buffer, from: first)
        case .jpeg: answer = decodeJPEG(buffer)
        case .converted: answer = convert(buffer)
        }
        guard case .lent = answer else { return answer }
        copy.captured = buffer.captured
        buffer.stream.format.fields.complete(&copy, with: &spare)
        copy.lend(to: body)
        return answer
    }

    /// Lends the driver's buffer as it is.
    private static func lendPlane(_ buffer: CapturedBuffer, to body: (borrowing Frame) -> Void) -> Answer {
        let format = buffer.stream.format
        return unsafe withRows(of: buffer, bytesPerPixel: 1) { bytes, stride in
            // Safe: the buffer is ours until it is given back, and the frame cannot leave the call.
            unsafe body(
                Frame(
                    borrowing: bytes.assumingMemoryBound(to: UInt8.self), width: format.width, height: format.height,
                    stride: stride, captured: buffer.captured))
        }
    }

    /// Copies the rows of fields, of which a picture is to be made.
    private mutating func copyFields(_ buffer: CapturedBuffer) -> Answer {
        copy.resize(buffer.stream.format.width, buffer.stream.format.height)
        return unsafe LumaReader.withRows(of: buffer, bytesPerPixel: 1) { bytes, stride in
            unsafe copy.fill(from: bytes, stride: stride)
        }
    }

    /// Copies every second byte of each row, from `first` on.
    private mutating func copyPacked(_ buffer: CapturedBuffer, from first: Int) -> Answer {
        copy.resize(buffer.stream.format.width, buffer.stream.format.height)
        return unsafe LumaReader.withRows(of: buffer, bytesPerPixel: 2) { bytes, stride in
            unsafe PackedLuma.copy(bytes, from: first, stride: stride, to: &copy)
        }
    }

    /// Lends the rows of an uncompressed picture, if all of them are there.
    ///
    /// - Parameter body: gets the bytes, and how many there are from one row to the next.
    private static func withRows(
        of buffer: CapturedBuffer, bytesPerPixel: Int, _ body: (UnsafeRawBufferPointer, _ stride: Int) -> Void
    ) -> Answer {
        let format = buffer.stream.format
        let row = bytesPerPixel * format.width
        let stride = max(format.bytesPerLine, row)
        let needed = stride * (format.height - 1) + row
        return unsafe buffer.stream.withBytes(of: buffer) { bytes in
            guard bytes.count >= needed else { return .undecodable(reason: "\(bytes.count) of \(needed) bytes") }
            unsafe body(bytes, stride)
            return .lent(isFlawed: false)
        }
    }

    private mutating func decodeJPEG(_ buffer: CapturedBuffer) -> Answer {
        do throws(JPEGLuma.Damage) {
            let isFlawed = try unsafe buffer.stream.withBytes(of: buffer) { bytes throws(JPEGLuma.Damage) in
                try unsafe CameraJPEG.decode(bytes, sparesSize: sparesSize, into: &copy)
            }
            return .lent(isFlawed: isFlawed)
        } catch {
            return .undecodable(reason: error.reason)
        }
    }

    private mutating func convert(_ buffer: CapturedBuffer) -> Answer {
        if converter?.belongs(to: buffer.stream) != true { converter = LumaConverter(buffer.stream) }
        let isWhole = unsafe buffer.stream.withBytes(of: buffer) { bytes in
            unsafe converter?.convert(bytes, into: &copy) ?? false
        }
        return isWhole ? .lent(isFlawed: false) : .undecodable(reason: "libv4lconvert cannot convert it")
    }
}
