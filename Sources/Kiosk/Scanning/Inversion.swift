// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes dark light and light dark, for codes that are drawn light on dark.
enum Inversion {
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, stride) = (frame.width, frame.stride)
        target.make(width: width, height: frame.height, from: frame) { y, source, target in
            var x = 0
            while x + 16 <= width {
                target.store(~source.block(at: y * stride + x), at: y * width + x)
                x += 16
            }
            while x < width {
                target[y * width + x] = ~source[y * stride + x]
                x += 1
            }
        }
    }
}
