// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension SymbolSighting {
    /// Measures the part of the frame that the corners enclose.
    init(corners: [(x: Int, y: Int)], in frame: borrowing Frame) {
        let (width, height, rowLength) = (frame.width, frame.height, frame.stride)
        let xs = corners.map { min(max($0.x, 0), width - 1) }
        let ys = corners.map { min(max($0.y, 0), height - 1) }
        let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
        let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
        var edges = 0.0
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            let (across, down) = (Double(next.x - corner.x), Double(next.y - corner.y))
            edges += (across * across + down * down).squareRoot()
        }
        // Every fourth row is enough for two means.
        let (brightness, sharpness) = frame.withPixels { pixels in
            var (sum, difference, count) = (0, 0, 0)
            for y in stride(from: top, through: bottom, by: 4) {
                var x = left
                while x < right {
                    let here = Int(pixels[y * rowLength + x])
                    sum += here
                    difference += abs(here - Int(pixels[y * rowLength + x + 1]))
                    count += 1
                    x += 1
                }
            }
            return (sum / max(count, 1), difference / max(count, 1))
        }
        self.init(
            captured: frame.captured, frameWidth: width, frameHeight: height,
            centreX: xs.reduce(0, +) / max(xs.count, 1), centreY: ys.reduce(0, +) / max(ys.count, 1),
            edge: Int(edges / Double(max(corners.count, 1))), brightness: UInt8(clamping: brightness),
            sharpness: UInt8(clamping: sharpness))
        self.corners = corners.map { PixelPoint(x: $0.x, y: $0.y) }
    }
}
