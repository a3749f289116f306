// SPDX-License-Identifier: Apache-2.0

import CV4L2

/// Goes between the driver's structure and `DeliveredFormat`.
///
/// The structure is a union, one of whose members has a pointer in it; only the member for single-planar video, which
/// has none, is touched here. That makes every use of it safe.
enum V4L2Format {
    static func structure(
        _ code: PixelCode, width: Int, height: Int, bytesPerLine: Int = 0, size: Int = 0
    ) -> v4l2_format {
        var format = unsafe v4l2_format()
        unsafe format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        unsafe format.fmt.pix.width = UInt32(width)
        unsafe format.fmt.pix.height = UInt32(height)
        unsafe format.fmt.pix.pixelformat = code.value
        unsafe format.fmt.pix.field = V4L2_FIELD_ANY.rawValue
        unsafe format.fmt.pix.bytesperline = UInt32(bytesPerLine)
        unsafe format.fmt.pix.sizeimage = UInt32(size)
        return unsafe format
    }

    static func delivered(_ format: v4l2_format) -> DeliveredFormat {
        let picture = unsafe format.fmt.pix
        return DeliveredFormat(
            code: PixelCode(picture.pixelformat), width: Int(picture.width), height: Int(picture.height),
            bytesPerLine: Int(picture.bytesperline), size: Int(picture.sizeimage))
    }
}
