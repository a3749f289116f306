// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A third of a picture's sides: each pixel is the mean of a block of three by three. Codes with a coarse pixel grid
/// fall between half and quarter scale.
enum ThirdScale {
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, height, stride) = (frame.width / 3, frame.height / 3, frame.stride)
        target.resize(width: width, height: height)
        frame.withPixels { source in
            target.withPixels { target in
                var y = 0
                while y < height {
                    var x = 0
                    while x < width {
                        var sum = 0
                        var row = 0
                        while row < 3 {
                            let start = (3 * y + row) * stride + 3 * x
                            sum += Int(source[start]) + Int(source[start + 1]) + Int(source[start + 2])
                            row += 1
                        }
                        target[y * width + x] = UInt8(sum / 9)
                        x += 1
                    }
                    y += 1
                }
            }
        }
    }
}
