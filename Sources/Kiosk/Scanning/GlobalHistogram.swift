// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes a picture black and white by one threshold, as zxing-cpp's binarizer of that name does: the valley between the
/// two peaks of the histogram of four rows.
enum GlobalHistogram {
    private static let buckets = 32
    private static let bucket = 256 / buckets

    /// - Returns: false for a picture without contrast.
    static func apply(_ frame: borrowing Frame, to target: LumaBuffer) -> Bool {
        guard let valley = valley(of: histogram(frame)) else { return false }
        let threshold = UInt8(valley * bucket)
        let (width, stride) = (frame.width, frame.stride)
        target.make(width: width, height: frame.height, from: frame) { y, source, target in
            for x in 0..<width { target[y * width + x] = source[y * stride + x] <= threshold ? 0 : 255 }
        }
        return true
    }

    private static func histogram(_ frame: borrowing Frame) -> [Int] {
        var histogram = [Int](repeating: 0, count: buckets)
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        frame.withPixels { pixels in
            for part in 1..<5 {
                let row = height * part / 5 * stride
                for x in width / 5..<width * 4 / 5 { histogram[Int(pixels[row + x]) / bucket] += 1 }
            }
        }
        return histogram
    }

    private static func valley(of histogram: [Int]) -> Int? {
        let highest = histogram.indices.reduce(0) { histogram[$1] > histogram[$0] ? $1 : $0 }
        func second(_ index: Int) -> Int { histogram[index] * (index - highest) * (index - highest) }
        let other = histogram.indices.reduce(0) { second($1) > second($0) ? $1 : $0 }
        let (dark, light) = (min(highest, other), max(highest, other))
        guard light - dark > buckets / 16 else { return nil }
        // Low, and nearer to the light peak.
        func depth(_ index: Int) -> Int {
            (index - dark) * (index - dark) * (light - index) * (histogram[highest] - histogram[index])
        }
        return (dark + 1..<light).reversed().reduce(light - 1) { depth($1) > depth($0) ? $1 : $0 }
    }
}
