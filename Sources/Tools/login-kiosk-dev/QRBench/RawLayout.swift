// SPDX-License-Identifier: Apache-2.0

import Capture

/// How the luma of a frame without a header lies in its file.
struct RawLayout: Equatable {
    var width: Int
    var height: Int
    /// Bytes from the start of a row to that of the next.
    var stride: Int
    /// Bytes from a pixel's luma to the next one's.
    var step: Int
    /// Bytes before the first pixel's luma.
    var offset: Int

    /// - Returns: nil for a pixel format that is not known here. Formats with planes of colour have their luma first.
    init?(pixelFormat: String, width: Int, height: Int, stride: Int?) {
        switch pixelFormat.uppercased() {
        case "YUYV": (step, offset) = (2, 0)
        case "UYVY": (step, offset) = (2, 1)
        case "GREY", "Y800", "NV12", "NV21", "YU12", "I420": (step, offset) = (1, 0)
        default: return nil
        }
        self.width = width
        self.height = height
        self.stride = stride ?? width * step
    }

    /// - Returns: nil when the bytes are too few.
    func picture(_ bytes: [UInt8]) -> Picture? {
        let last = (height - 1) * stride + (width - 1) * step + offset
        guard last < bytes.count else { return nil }
        var picture = Picture(width: width, height: height, shade: 0)
        for y in 0..<height { for x in 0..<width { picture[x, y] = bytes[y * stride + x * step + offset] } }
        return picture
    }
}
