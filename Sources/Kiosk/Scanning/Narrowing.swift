// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Halves a picture's width: each pixel is the mean of two beside each other. This restores the proportions of a
/// picture with half of its rows, and of a picture with two fields one above the other.
enum Narrowing {
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, stride) = (frame.width / 2, frame.stride)
        target.make(width: width, height: frame.height, from: frame) { y, source, target in
            let (from, to) = (y * stride, y * width)
            for x in 0..<width {
                let sum = UInt16(source[from + 2 * x]) + UInt16(source[from + 2 * x + 1]) + 1
                target[to + x] = UInt8(truncatingIfNeeded: sum / 2)
            }
        }
    }
}
