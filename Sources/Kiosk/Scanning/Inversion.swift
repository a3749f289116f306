// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes dark light and light dark, for codes that are drawn light on dark.
enum Inversion {
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        target.resize(width: width, height: height)
        frame.withPixels { source in
            target.withPixels { target in
                var y = 0
                while y < height {
                    var x = 0
                    while x + 16 <= width {
                        target.store(~source.block(at: y * stride + x), at: y * width + x)
                        x += 16
                    }
                    while x < width {
                        target[y * width + x] = ~source[y * stride + x]
                        x += 1
                    }
                    y += 1
                }
            }
        }
    }
}
