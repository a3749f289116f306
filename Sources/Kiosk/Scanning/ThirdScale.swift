// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A third of a picture's sides: each pixel is the mean of a block of three by three. Codes with a coarse pixel grid
/// fall between half and quarter scale.
enum ThirdScale {
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, stride) = (frame.width / 3, frame.stride)
        target.make(width: width, height: frame.height / 3, from: frame) { y, source, target in
            for x in 0..<width {
                var sum = 0
                for row in 3 * y..<3 * y + 3 {
                    let start = row * stride + 3 * x
                    sum += Int(source[start]) + Int(source[start + 1]) + Int(source[start + 2])
                }
                target[y * width + x] = UInt8(sum / 9)
            }
        }
    }
}
