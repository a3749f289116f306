// SPDX-License-Identifier: Apache-2.0

import CV4L2

extension VideoDevice {
    /// Gives a buffer to the driver, to be filled.
    borrowing func queue(_ index: Int) throws(SystemFailure) {
        var buffer = unsafe VideoDevice.emptyBuffer()
        unsafe buffer.index = UInt32(index)
        try unsafe control(UInt(cv4l2_queue_buffer), &buffer)
    }

    /// What a call about a mapped buffer begins with.
    static func emptyBuffer() -> v4l2_buffer {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        return unsafe buffer
    }
}
