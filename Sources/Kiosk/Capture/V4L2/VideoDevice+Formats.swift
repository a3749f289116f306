// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts

extension VideoDevice {
    /// The most formats, sizes and rates that are asked for: a driver might never say that it is done.
    private static let maximumCount: UInt32 = 128
    /// Sizes that are chosen from where a driver takes any.
    private static let usualSizes = [(640, 480), (800, 600), (1280, 720), (1920, 1080)]

    /// All formats that the camera offers.
    borrowing func offeredFormats() -> [CameraFormat] {
        var found: [CameraFormat] = []
        for index in 0..<VideoDevice.maximumCount {
            var format = v4l2_fmtdesc()
            format.index = index
            format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            guard (try? control(UInt(cv4l2_enumerate_formats), &format)) != nil else { break }
            found += formats(PixelCode(format.pixelformat))
        }
        return found
    }

    private borrowing func formats(_ code: PixelCode) -> [CameraFormat] {
        var found: [CameraFormat] = []
        for index in 0..<VideoDevice.maximumCount {
            var size = v4l2_frmsizeenum()
            size.index = index
            size.pixel_format = code.value
            guard (try? control(UInt(cv4l2_enumerate_sizes), &size)) != nil else { break }
            if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                found += formats(code, Int(size.discrete.width), Int(size.discrete.height))
            } else {
                // A range comes in one answer.
                let (widths, heights) = (
                    size.stepwise.min_width...max(size.stepwise.min_width, size.stepwise.max_width),
                    size.stepwise.min_height...max(size.stepwise.min_height, size.stepwise.max_height)
                )
                for (width, height) in VideoDevice.usualSizes
                where widths.contains(UInt32(width)) && heights.contains(UInt32(height)) {
                    found += formats(code, width, height)
                }
                break
            }
        }
        // A driver that does not say is asked for the usual, and may answer with another size.
        return found.isEmpty ? [CameraFormat(code, width: 640, height: 480)] : found
    }

    private borrowing func formats(_ code: PixelCode, _ width: Int, _ height: Int) -> [CameraFormat] {
        guard (1...Frame.maximumSide).contains(width), (1...Frame.maximumSide).contains(height) else { return [] }
        var found: [CameraFormat] = []
        for index in 0..<VideoDevice.maximumCount {
            var interval = v4l2_frmivalenum()
            interval.index = index
            interval.pixel_format = code.value
            interval.width = UInt32(width)
            interval.height = UInt32(height)
            guard (try? control(UInt(cv4l2_enumerate_intervals), &interval)) != nil else { break }
            let isSingle = interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            let shortest = isSingle ? interval.discrete : interval.stepwise.min
            // From a range of rates, at most 30 a second are taken.
            var rate = Double(shortest.denominator) / Double(max(shortest.numerator, 1))
            if !isSingle { rate = min(rate, 30) }
            if rate > 0 { found.append(CameraFormat(code, width: width, height: height, rate: rate)) }
            if !isSingle { break }
        }
        return found.isEmpty ? [CameraFormat(code, width: width, height: height)] : found
    }
}
