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
        // Pictures of one instant, of a driver that has them.
        unsafe format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        unsafe format.fmt.pix.bytesperline = UInt32(bytesPerLine)
        unsafe format.fmt.pix.sizeimage = UInt32(size)
        return unsafe format
    }

    static func delivered(_ format: v4l2_format) -> DeliveredFormat {
        let picture = unsafe format.fmt.pix
        return DeliveredFormat(
            code: PixelCode(picture.pixelformat), width: Int(picture.width), height: Int(picture.height),
            bytesPerLine: Int(picture.bytesperline), size: Int(picture.sizeimage), fields: fields(picture.field))
    }

    /// - Parameter order: a `v4l2_field`, as the driver answers it.
    private static func fields(_ order: UInt32) -> Fields {
        switch order {
        case V4L2_FIELD_TOP.rawValue, V4L2_FIELD_BOTTOM.rawValue, V4L2_FIELD_ALTERNATE.rawValue: .alone
        case V4L2_FIELD_INTERLACED.rawValue, V4L2_FIELD_INTERLACED_TB.rawValue, V4L2_FIELD_INTERLACED_BT.rawValue:
            .woven
        case V4L2_FIELD_SEQ_TB.rawValue, V4L2_FIELD_SEQ_BT.rawValue: .stacked
        default: .together
        }
    }
}
