// SPDX-License-Identifier: Apache-2.0

import CJPEG
import Capture
import Glibc

extension Picture {
    /// The picture as a grey JPEG of good quality.
    func jpeg() -> [UInt8] {
        var count = 0
        // Safe: the array has as many bytes as the picture has pixels.
        let memory = unsafe cjpeg_encode(pixels, Int32(width), Int32(height), 95, &count)
        // Safe: the call leaves its result to this function.
        defer { unsafe free(memory) }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: count))
    }
}
