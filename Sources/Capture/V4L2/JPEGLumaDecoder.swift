// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import KioskPorts

/// Decodes the luma of a camera's JPEGs by libturbojpeg.
// Safe to use: the handle is made, used and destroyed by this type alone.
@safe struct JPEGLumaDecoder: ~Copyable {
    /// A larger picture is decoded at half its size, which costs a quarter and keeps codes readable.
    private static let largestWidth = 1920

    /// Where size is spared, a picture is not decoded smaller than this.
    private static let smallestWidth = 160

    private let decoder: tjhandle

    /// Nil when the system has no memory left.
    init?() {
        guard let decoder = unsafe tjInitDecompress() else { return nil }
        unsafe self.decoder = unsafe decoder
    }

    deinit {
        unsafe tjDestroy(decoder)
    }

    /// - Parameter sparesSize: whether a quarter of its sides will do, which costs a fraction.
    /// - Returns: false when the picture is damaged or cut off, which cameras deliver now and then.
    borrowing func decode(
        _ bytes: UnsafeRawBufferPointer, into frame: inout FrameBuffer, sparesSize: Bool = false
    ) -> Bool {
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let source = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        // Safe: address and count belong together; the four results are written during the call.
        let header = unsafe tjDecompressHeader3(
            decoder, source.baseAddress, UInt(source.count), &width, &height, &sampling, &space)
        guard header == 0, (1...Frame.maximumSide).contains(Int(width)), (1...Frame.maximumSide).contains(Int(height))
        else { return false }
        let isSmall = sparesSize && Int(width) >= 4 * JPEGLumaDecoder.smallestWidth
        let divisor = isSmall ? 4 : Int(width) > JPEGLumaDecoder.largestWidth ? 2 : 1
        frame.resize((Int(width) + divisor - 1) / divisor, (Int(height) + divisor - 1) / divisor)
        let (outWidth, outHeight) = (Int32(frame.width), Int32(frame.height))
        // Safe: the target holds outHeight rows of outWidth bytes, as the call is told.
        let status = unsafe frame.pixels.withUnsafeMutableBufferPointer { target in
            unsafe tjDecompress2(
                decoder, source.baseAddress, UInt(source.count), target.baseAddress, outWidth, outWidth, outHeight,
                Int32(TJPF_GRAY.rawValue), Int32(TJFLAG_STOPONWARNING | TJFLAG_FASTDCT))
        }
        return status == 0
    }
}
