// SPDX-License-Identifier: Apache-2.0

import Capture

/// The layout of a headerless frame's luma in its file.
struct RawLayout: Equatable {
    var width: Int
    var height: Int
    /// Bytes from the start of a row to the next row.
    var stride: Int
    /// Bytes from a pixel's luma to the next pixel's.
    var step: Int
    /// Bytes before the first pixel's luma.
    var offset: Int

    /// - Returns: nil for an unknown pixel format. Formats with colour planes have their luma first.
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

    /// - Returns: nil when there are too few bytes.
    func picture(_ bytes: [UInt8]) -> Picture? {
        let last = (height - 1) * stride + (width - 1) * step + offset
        guard last < bytes.count else { return nil }
        var picture = Picture(width: width, height: height, shade: 0)
        for y in 0..<height { for x in 0..<width { picture[x, y] = bytes[y * stride + x * step + offset] } }
        return picture
    }
}
