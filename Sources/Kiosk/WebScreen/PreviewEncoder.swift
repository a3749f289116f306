// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import KioskPorts

/// Encodes pictures for browsers.
enum PreviewEncoder {
    /// Good enough for aiming. A picture takes some ten kilobytes at most.
    private static let quality: Int32 = 60

    struct Failure: Error {}

    /// The picture as a grey JPEG file.
    static func jpeg(_ picture: PreviewPicture) throws(Failure) -> [UInt8] {
        guard let encoder = unsafe tjInitCompress() else { throw Failure() }
        // Safe: this function owns the handle and its allocations until here.
        defer { unsafe tjDestroy(encoder) }
        var memory: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let status = unsafe picture.luma.withUnsafeBufferPointer { pixels in
            // Safe: the array has as many bytes as a picture has pixels.
            unsafe tjCompress2(
                encoder, pixels.baseAddress, Int32(PreviewPicture.width), 0, Int32(PreviewPicture.height),
                Int32(TJPF_GRAY.rawValue), &memory, &count, Int32(TJSAMP_GRAY.rawValue), quality, 0)
        }
        defer { unsafe tjFree(memory) }
        guard status == 0 else { throw Failure() }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: Int(count)))
    }
}
