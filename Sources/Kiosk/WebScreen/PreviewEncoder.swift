// SPDX-License-Identifier: Apache-2.0

import CJPEG
import Glibc
import KioskPorts

/// Encodes pictures for browsers.
enum PreviewEncoder {
    /// Good enough for aiming. A picture takes some ten kilobytes at most.
    private static let quality: Int32 = 60

    /// The picture as a grey JPEG file.
    static func jpeg(_ picture: PreviewPicture) -> [UInt8] {
        var count = 0
        // Safe: the array has as many bytes as a picture has pixels.
        let memory = unsafe cjpeg_encode(
            picture.luma, Int32(PreviewPicture.width), Int32(PreviewPicture.height), quality, &count)
        // Safe: the call leaves its result to this function.
        defer { unsafe free(memory) }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: count))
    }
}
