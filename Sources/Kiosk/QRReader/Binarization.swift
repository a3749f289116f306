// SPDX-License-Identifier: Apache-2.0

/// Makes a picture black and white: a pixel is dark where it is darker than the mean of the window around it.
struct Binarization: ~Copyable {
    struct Window {
        /// Pixels to each side.
        var reach: Int
        /// Luma by which a dark pixel is darker than the mean.
        var offset: Int32
    }

    /// The sum of each column over the rows of the window, and behind them the sums of the columns left of each.
    private var sums: [Int32] = []

    /// - Parameter target: 1 where the picture is dark, else 0.
    mutating func apply(_ source: borrowing GreyPicture, _ window: Window, to target: inout GreyPicture) {
        let (width, height, reach) = (source.width, source.height, window.reach)
        target.resize(width: width, height: height, scale: source.scale)
        if sums.count <= 2 * width { sums = [Int32](repeating: 0, count: 2 * width + 1) }
        let pixels = source.pixels.span
        var sums = sums.mutableSpan
        var result = target.pixels.mutableSpan
        for x in 0...width { sums[x] = 0 }
        for y in 0..<min(reach, height) {
            for x in 0..<width { sums[x] &+= Int32(pixels[y * width + x]) }
        }
        for y in 0..<height {
            if y + reach < height {
                let row = (y + reach) * width
                for x in 0..<width { sums[x] &+= Int32(pixels[row + x]) }
            }
            if y > reach {
                let row = (y - reach - 1) * width
                for x in 0..<width { sums[x] &-= Int32(pixels[row + x]) }
            }
            var sum: Int32 = 0
            for x in 0..<width {
                sum &+= sums[x]
                sums[width + x + 1] = sum
            }
            let rows = Int32(min(y + reach, height - 1) - max(y - reach, 0) + 1)
            let row = y * width
            for x in 0..<width {
                let (left, right) = (max(x - reach, 0), min(x + reach, width - 1) + 1)
                let area = rows &* Int32(truncatingIfNeeded: right - left)
                let isDark =
                    (Int32(pixels[row + x]) &+ window.offset) &* area < sums[width + right] &- sums[width + left]
                result[row + x] = isDark ? 1 : 0
            }
        }
    }
}
