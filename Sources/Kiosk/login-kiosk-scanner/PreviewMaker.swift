// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes small pictures of some frames, which show the camera's view to the person who holds up a code.
struct PreviewMaker {
    /// Fifteen a second guide a hand, and are cheap.
    static let interval = Duration.milliseconds(66)
    /// The time for which an outline stays: a code in view is not found in each frame.
    private static let outlineStay = Duration.milliseconds(400)

    /// Whether the parent has a screen for it.
    var isWanted = false
    private var due = Duration.zero
    private var outline: [PixelPoint] = []
    private var outlineEnds = Duration.zero

    /// - Parameters:
    ///   - found: the code that was found in the frame.
    ///   - now: by any even clock.
    /// - Returns: nil when the parent wants none, or not yet.
    mutating func picture(of frame: borrowing Frame, _ found: Symbol?, at now: Duration) -> PreviewPicture? {
        if let found { (outline, outlineEnds) = (found.sighting.corners, now + PreviewMaker.outlineStay) }
        guard isWanted, now >= due else { return nil }
        due = now + PreviewMaker.interval
        return PreviewMaker.picture(of: frame, outline: now < outlineEnds ? outline : [])
    }

    /// The whole frame, scaled to fit and centred on black; each pixel is the mean of four of its area in the frame.
    ///
    /// - Parameter outline: a code's corners in the frame.
    static func picture(of frame: borrowing Frame, outline: [PixelPoint] = []) -> PreviewPicture? {
        let (width, height) = (PreviewPicture.width, PreviewPicture.height)
        let isWide = frame.width * height >= frame.height * width
        let columns = isWide ? width : max(1, frame.width * height / frame.height)
        let rows = isWide ? max(1, frame.height * width / frame.width) : height
        let (left, top) = ((width - columns) / 2, (height - rows) / 2)
        /// The pixels at a quarter and three quarters of each area.
        func taps(_ count: Int, of side: Int) -> [(Int, Int)] {
            (0..<count).map { ((4 * $0 + 1) * side / (4 * count), (4 * $0 + 3) * side / (4 * count)) }
        }
        let xs = taps(columns, of: frame.width)
        let ys = taps(rows, of: frame.height)
        let stride = frame.stride
        var luma = [UInt8](repeating: 0, count: width * height)
        frame.withPixels { pixels in
            for (row, y) in ys.enumerated() {
                let (upper, lower) = (y.0 * stride, y.1 * stride)
                let start = (top + row) * width + left
                for (column, x) in xs.enumerated() {
                    let sum =
                        Int(pixels[upper + x.0]) + Int(pixels[upper + x.1]) + Int(pixels[lower + x.0])
                        + Int(pixels[lower + x.1])
                    luma[start + column] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
                }
            }
        }
        // A corner may lie beyond the frame. A decoder may report none, or those of several codes.
        let corners = outline.map { corner in
            PixelPoint(
                x: min(max(left + corner.x * columns / frame.width, 0), width - 1),
                y: min(max(top + corner.y * rows / frame.height, 0), height - 1))
        }
        return PreviewPicture(luma: luma, outline: corners.count == PreviewPicture.corners ? corners : [])
    }
}
