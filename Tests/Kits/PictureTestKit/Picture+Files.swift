// SPDX-License-Identifier: Apache-2.0

import CPNG
public import Capture
import Foundation
import Patience

extension Picture {
    /// The picture as a grey PNG file.
    public func png() -> [UInt8] {
        // Safe: the structure is plain data, and zero is its documented initial state.
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe image.width = png_uint_32(width)
        unsafe image.height = png_uint_32(height)
        var size = png_alloc_size_t(0)
        // Safe: the first call returns the size, and the second writes no more than that.
        unsafe png_image_write_to_memory(&image, nil, &size, 0, pixels, png_int_32(width), nil)
        var bytes = [UInt8](repeating: 0, count: size)
        let done = unsafe png_image_write_to_memory(&image, &bytes, &size, 0, pixels, png_int_32(width), nil)
        precondition(done != 0)
        return Array(bytes[..<size])
    }

    /// The beginning of a PNG of 100,000 x 100,000 pixels.
    public static let hugePNG = Array(
        Data(base64Encoded: "iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAAAAACNOVQUAAAAAElEQVQ1rwYe") ?? Data())

    /// This picture placed on a larger one.
    public func placed(onWidth width: Int, height: Int, x: Int, y: Int, shade: UInt8 = 255) -> Picture {
        var whole = Picture(width: width, height: height, shade: shade)
        whole.draw(self, x: x, y: y)
        return whole
    }

    /// Random noise from a seed.
    public static func noise(width: Int, height: Int, seed: UInt64) -> Picture {
        var random = SplitMix64(seed: seed)
        return Picture(
            width: width, height: height, pixels: (0..<width * height).map { _ in .random(in: 0...255, using: &random) }
        )
    }
}
