// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Spreads the greys of a picture over the whole range; the darkest and the brightest hundredth are cut off.
enum ContrastStretch {
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        target.resize(width: width, height: height)
        frame.withPixels { source in
            var counts = [Int](repeating: 0, count: 256)
            for y in 0..<height { for x in 0..<width { counts[Int(source[y * stride + x])] += 1 } }
            let table = ContrastStretch.table(counts, cut: width * height / 100)
            target.withPixels { target in
                for y in 0..<height {
                    for x in 0..<width { target[y * width + x] = table[Int(source[y * stride + x])] }
                }
            }
        }
    }

    /// - Parameter cut: so many pixels become black, and so many white.
    private static func table(_ counts: [Int], cut: Int) -> [UInt8] {
        var (low, below) = (0, counts[0])
        while low < 255, below <= cut {
            low += 1
            below += counts[low]
        }
        var (high, above) = (255, counts[255])
        while high > low, above <= cut {
            high -= 1
            above += counts[high]
        }
        guard high > low else { return (0...255).map { UInt8($0) } }
        return (0...255).map { UInt8(clamping: ($0 - low) * 255 / (high - low)) }
    }
}
