// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import KioskPorts

extension Picture {
    /// Reads the luma of a JPEG by libturbojpeg.
    ///
    /// A picture that is cut off is refused rather than shown half grey.
    init(jpeg bytes: [UInt8], from place: String) throws(FrameSourceError) {
        guard let decoder = unsafe tjInitDecompress() else {
            throw FrameSourceError(
                .unreadable, at: place, problem: "the JPEG decoder cannot start", remedy: "free some memory")
        }
        // Safe: the handle is ours until here.
        defer { unsafe tjDestroy(decoder) }
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        // Safe: bytes and count belong together; the four results are written during the call.
        let header = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe tjDecompressHeader3(
                decoder, source.baseAddress, UInt(source.count), &width, &height, &sampling, &space)
        }
        guard header == 0 else { throw unsafe Picture.damagedJPEG(decoder, at: place) }
        try Picture.check(width: Int(width), height: Int(height), from: place)
        var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height))
        // Safe: the target holds height rows of width bytes, as the call is told.
        let status = unsafe pixels.withUnsafeMutableBufferPointer { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe tjDecompress2(
                    decoder, source.baseAddress, UInt(source.count), target.baseAddress, width, width, height,
                    Int32(TJPF_GRAY.rawValue), Int32(TJFLAG_STOPONWARNING))
            }
        }
        guard status == 0 else { throw unsafe Picture.damagedJPEG(decoder, at: place) }
        self.init(width: Int(width), height: Int(height), pixels: pixels)
    }

    @unsafe private static func damagedJPEG(_ decoder: tjhandle, at place: String) -> FrameSourceError {
        // Safe while the handle lives: the message is terminated and belongs to it.
        let message = unsafe String(cString: tjGetErrorStr2(decoder))
        return FrameSourceError(
            .malformed, at: place, problem: "is a damaged JPEG (\(message))", remedy: "save the picture again")
    }
}
