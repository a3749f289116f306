// SPDX-License-Identifier: Apache-2.0

import KioskCore

/// Halves a picture: each pixel is the mean of a block of two by two.
///
/// It is a quarter of the work for what follows, and it melts the pixel grid of a display that a sharp close view
/// resolves and that breaks the decoder.
enum HalfScale {
    static func apply(_ frame: borrowing Frame, to target: inout LumaBuffer) {
        let (width, height, stride) = (frame.width / 2, frame.height / 2, frame.stride)
        target.resize(width: width, height: height)
        frame.withPixels { source in
            target.withPixels { target in
                var y = 0
                while y < height {
                    var upper = 2 * y * stride
                    var lower = upper + stride
                    var index = y * width
                    let end = index + width
                    while index < end {
                        let above = Int(source[upper]) + Int(source[upper + 1])
                        let below = Int(source[lower]) + Int(source[lower + 1])
                        target[index] = UInt8(truncatingIfNeeded: (above + below + 2) >> 2)
                        upper += 2
                        lower += 2
                        index += 1
                    }
                    y += 1
                }
            }
        }
    }
}
