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
    /// The luma from which on a pixel has the highest brightness.
    private static let white = 250
    /// A picture with less contrast has no sharpness, because noise would pass for edges.
    private static let leastContrast = 24
    /// A fiftieth of the pixels is darker than ``darkest``, and a fiftieth brighter than ``brightest``.
    private static let extremes = 50
    /// One step in 200 is steeper than the one that is taken as the sharpness.
    private static let steepest = 200

    init(of frame: borrowing Frame) {
        let (levels, steps) = FrameQuality.sample(frame)
        let count = levels.reduce(0, +)
        guard count > 0 else { return }
        let sum = levels.enumerated().reduce(0) { $0 + $1.offset * $1.element }
        brightness = UInt8(clamping: sum / count)
        darkest = FrameQuality.level(levels, above: count / FrameQuality.extremes)
        brightest = FrameQuality.level(levels, above: count - count / FrameQuality.extremes - 1)
        whiteShare = Double(levels[FrameQuality.white...].reduce(0, +)) / Double(count)
        let contrast = Int(brightest) - Int(darkest)
        guard contrast >= FrameQuality.leastContrast else { return }
        let stepCount = steps.reduce(0, +)
        let step = Int(FrameQuality.level(steps, above: stepCount - stepCount / FrameQuality.steepest - 1))
        sharpness = UInt8(clamping: 255 * step / contrast)
    }

    /// Counts pixels by their luma, and pixels by its difference from that of the last but one in the row.
    private static func sample(_ frame: borrowing Frame) -> (levels: [Int], steps: [Int]) {
        let (width, height, rowLength) = (frame.width, frame.height, frame.stride)
        var levels = [Int](repeating: 0, count: 256)
        var steps = [Int](repeating: 0, count: 256)
        let distance = max(height / rows, 1)
        frame.withPixels { pixels in
            for y in stride(from: distance / 2, to: height, by: distance) {
                let start = y * rowLength
                for x in start..<start + width { levels[Int(pixels[x])] += 1 }
                for x in start + min(2, width)..<start + width { steps[abs(Int(pixels[x]) - Int(pixels[x - 2]))] += 1 }
            }
        }
        return (levels, steps)
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
