// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Halves a picture: each pixel is the mean of a block of two by two.
///
/// It reduces later work to a quarter. It also blurs the pixel grid of a display, which a sharp close view resolves and
/// which disturbs a decoder.
enum HalfScale {
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, stride) = (frame.width / 2, frame.stride)
        target.make(width: width, height: frame.height / 2, from: frame) { y, source, target in
            let upper = 2 * y * stride
            let lower = upper + stride
            let start = y * width
            var x = 0
            while x + 16 <= width {
                let above = source.block(at: upper + 2 * x, as: SIMD32<UInt8>.self)
                let below = source.block(at: lower + 2 * x, as: SIMD32<UInt8>.self)
                let left = wide(above.evenHalf) &+ wide(below.evenHalf)
                let right = wide(above.oddHalf) &+ wide(below.oddHalf)
                let mean = (left &+ right &+ 2) &>> 2
                target.store(PixelBlock(truncatingIfNeeded: mean), at: start + x)
                x += 16
            }
            while x < width {
                let above = Int(source[upper + 2 * x]) + Int(source[upper + 2 * x + 1])
                let below = Int(source[lower + 2 * x]) + Int(source[lower + 2 * x + 1])
                target[start + x] = UInt8(truncatingIfNeeded: (above + below + 2) >> 2)
                x += 1
            }
        }
    }

    @inline(__always)
    private static func wide(_ block: PixelBlock) -> SIMD16<UInt16> { SIMD16<UInt16>(truncatingIfNeeded: block) }
}
