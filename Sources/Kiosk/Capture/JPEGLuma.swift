// SPDX-License-Identifier: Apache-2.0

import CJPEG
import KioskPorts

/// Decodes the luma of JPEGs by libjpeg.
enum JPEGLuma {
    /// The reason why a JPEG cannot be decoded, in the library's words.
    struct Damage: Error, Equatable {
        let reason: String
    }

    /// Pixels in a row, and rows.
    static func size(of bytes: UnsafeRawBufferPointer) throws(Damage) -> (width: Int, height: Int) {
        var (width, height) = (Int32(0), Int32(0))
        _ = try unsafe ask { message in
            // Safe: address and count belong together; the results are written during the call.
            unsafe cjpeg_size(
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, &width, &height, message)
        }
        return (Int(width), Int(height))
    }

    /// - Parameters:
    ///   - divisor: of the sides that ``size(of:)`` returned: 1, 2, 4 or 8.
    ///   - isFast: whether speed comes before the last bit of precision.
    ///   - frame: becomes the picture; its memory is used again.
    /// - Returns: whether the file breaks a rule somewhere, as many webcams do, although every block was decoded.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, size: (width: Int, height: Int), divisor: Int = 1, isFast: Bool = false,
        into frame: inout FrameBuffer
    ) throws(Damage) -> Bool {
        frame.resize((size.width + divisor - 1) / divisor, (size.height + divisor - 1) / divisor)
        let (width, height) = (Int32(frame.width), Int32(frame.height))
        return try unsafe ask { message in
            // Safe: the target holds `height` rows of `width` bytes, which the call gets.
            unsafe frame.pixels.withUnsafeMutableBufferPointer { target in
                unsafe cjpeg_luma(
                    bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, Int32(divisor),
                    isFast ? 1 : 0, target.baseAddress, width, height, message)
            }
        }
    }

    /// - Returns: whether the library found a flaw.
    private static func ask(
        _ call: (UnsafeMutablePointer<CChar>?) -> cjpeg_verdict
    ) throws(Damage) -> Bool {
        var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE))
        // Safe: the library writes a terminated text of at most that many bytes.
        let verdict = unsafe message.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress) }
        if verdict == CJPEG_BROKEN {
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Damage(reason: String(decoding: text, as: UTF8.self))
        }
        return verdict == CJPEG_FLAWED
    }
}
