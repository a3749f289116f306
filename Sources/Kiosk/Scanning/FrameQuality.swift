// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Light and sharpness of a frame, from samples of it.
struct FrameQuality: Equatable {
    /// Mean luma.
    var brightness: UInt8 = 0
    /// The luma that a fiftieth of the picture is darker than, and one that a fiftieth is brighter than.
    var darkest: UInt8 = 0
    var brightest: UInt8 = 0
    /// The share of the picture with the highest brightness: 0 ... 1.
    var whiteShare = 0.0
    /// See ``ScannerAdvice/sharpness``.
    var sharpness: UInt8 = 0

    /// The approximate number of sampled rows.
    private static let rows = 48

    init(of frame: borrowing Frame) {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        var levels = [Int](repeating: 0, count: 256)
        var steps = [Int](repeating: 0, count: 256)
        let distance = max(height / FrameQuality.rows, 1)
        frame.withPixels { pixels in
            var y = distance / 2
            while y < height {
                var x = 0
                while x < width {
                    levels[Int(pixels[y * stride + x])] += 1
                    if x >= 2 {
                        steps[abs(Int(pixels[y * stride + x]) - Int(pixels[y * stride + x - 2]))] += 1
                    }
                    x += 1
                }
                y += distance
            }
        }
        let count = levels.reduce(0, +)
        guard count > 0 else { return }
        let sum = levels.enumerated().reduce(0) { $0 + $1.offset * $1.element }
        brightness = UInt8(clamping: sum / count)
        darkest = FrameQuality.level(levels, above: count / 50)
        brightest = FrameQuality.level(levels, above: count - count / 50 - 1)
        whiteShare = Double(levels[250...].reduce(0, +)) / Double(count)
        let contrast = Int(brightest) - Int(darkest)
        // Below that, noise would pass for edges.
        guard contrast >= 24 else { return }
        let stepCount = steps.reduce(0, +)
        let steepest = Int(FrameQuality.level(steps, above: stepCount - stepCount / 200 - 1))
        sharpness = UInt8(clamping: 255 * steepest / contrast)
    }

    private static func level(_ counts: [Int], above share: Int) -> UInt8 {
        var seen = 0
        for (level, count) in counts.enumerated() {
            seen += count
            if seen > share { return UInt8(level) }
        }
        return 255
    }
}
