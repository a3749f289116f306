// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes small pictures of some frames, which show the camera's view to the person who holds up a code.
struct PreviewMaker {
    /// Smooth enough to guide a hand, and cheap.
    static let interval = Duration.milliseconds(160)

    /// Whether the parent has a screen for it.
    var isWanted = false
    private var due = Duration.zero

    /// - Parameter now: by any even clock.
    /// - Returns: nil when the parent wants none, or not yet.
    mutating func picture(of frame: borrowing Frame, at now: Duration) -> PreviewPicture? {
        guard isWanted, now >= due else { return nil }
        due = now + PreviewMaker.interval
        return PreviewMaker.picture(of: frame)
    }

    /// The whole frame, scaled to fit and centred on black; each pixel is the mean of four of its area in the frame.
    static func picture(of frame: borrowing Frame) -> PreviewPicture? {
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
        return PreviewPicture(luma: luma)
    }
}
