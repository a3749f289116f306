// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import Capture

extension Picture {
    /// The picture as a grey JPEG of good quality.
    ///
    /// - Parameter flags: `TJFLAG_...` of libturbojpeg.
    func jpeg(flags: Int32 = 0) throws -> [UInt8] {
        struct Refused: Error {}
        guard let encoder = unsafe tjInitCompress() else { throw Refused() }
        // Safe: the handle and its allocations are owned until here.
        defer { unsafe tjDestroy(encoder) }
        var memory: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let status = unsafe tjCompress2(
            encoder, pixels, Int32(width), 0, Int32(height), Int32(TJPF_GRAY.rawValue), &memory, &count,
            Int32(TJSAMP_GRAY.rawValue), 95, flags)
        defer { unsafe tjFree(memory) }
        guard status == 0 else { throw Refused() }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: Int(count)))
    }
}
