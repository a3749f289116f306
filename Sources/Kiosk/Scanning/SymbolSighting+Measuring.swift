// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension SymbolSighting {
    /// Measures the part of the frame that the corners enclose.
    init(corners: [(x: Int, y: Int)], in frame: borrowing Frame) {
        let (width, height) = (frame.width, frame.height)
        let xs = corners.map { min(max($0.x, 0), width - 1) }
        let ys = corners.map { min(max($0.y, 0), height - 1) }
        let (brightness, sharpness) = SymbolSighting.light(
            in: frame, columns: (xs.min() ?? 0)..<(xs.max() ?? 0), rows: (ys.min() ?? 0)...(ys.max() ?? 0))
        self.init(
            captured: frame.captured, frameWidth: width, frameHeight: height,
            centreX: xs.reduce(0, +) / max(xs.count, 1), centreY: ys.reduce(0, +) / max(ys.count, 1),
            edge: SymbolSighting.edge(between: corners), brightness: UInt8(clamping: brightness),
            sharpness: UInt8(clamping: sharpness))
        self.corners = corners.map { PixelPoint(x: $0.x, y: $0.y) }
    }

    /// The mean length of the sides.
    private static func edge(between corners: [(x: Int, y: Int)]) -> Int {
        var sum = 0.0
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            let (across, down) = (Double(next.x - corner.x), Double(next.y - corner.y))
            sum += (across * across + down * down).squareRoot()
        }
        return Int(sum / Double(max(corners.count, 1)))
    }

    /// The mean luma, and the mean difference of a pixel from the next one. Every fourth row is enough for both.
    private static func light(
        in frame: borrowing Frame, columns: Range<Int>, rows: ClosedRange<Int>
    ) -> (brightness: Int, sharpness: Int) {
        let rowLength = frame.stride
        var (sum, difference, count) = (0, 0, 0)
        frame.withPixels { pixels in
            for y in stride(from: rows.lowerBound, through: rows.upperBound, by: 4) {
                for index in y * rowLength + columns.lowerBound..<y * rowLength + columns.upperBound {
                    sum += Int(pixels[index])
                    difference += abs(Int(pixels[index]) - Int(pixels[index + 1]))
                    count += 1
                }
            }
        }
        return (sum / max(count, 1), difference / max(count, 1))
    }
}
