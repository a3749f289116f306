// SPDX-License-Identifier: Apache-2.0

/// Makes a picture black and white: a pixel is dark where it and the offset together are darker than the mean of the
/// window around it.
struct Binarization: ~Copyable {
    struct Window {
        /// Pixels to each side.
        var reach: Int
        /// Added to a pixel's luma before it is compared with the mean. A negative one takes pixels as dark that are a
        /// little lighter.
        var offset: Int32
    }

    /// The sum of each column over the rows of the window.
    private var columns: [Int32] = []
    /// The sums of the columns left of each, which make a window's sum one difference.
    private var left: [Int32] = []

    /// - Parameter target: 1 where the picture is dark, else 0.
    mutating func apply(_ source: borrowing GreyPicture, _ window: Window, to target: inout GreyPicture) {
        let (width, height, reach) = (source.width, source.height, window.reach)
        target.resize(width: width, height: height, scale: source.scale)
        begin(width: width)
        let pixels = source.pixels.span
        for y in 0..<min(reach, height) { change(by: 1, pixels, rowAt: y * width, width) }
        for y in 0..<height {
            if y + reach < height { change(by: 1, pixels, rowAt: (y + reach) * width, width) }
            if y > reach { change(by: -1, pixels, rowAt: (y - reach - 1) * width, width) }
            accumulate(width: width)
            let rows = Int32(min(y + reach, height - 1) - max(y - reach, 0) + 1)
            compare(pixels, rowAt: y * width, width, window, rows: rows, to: &target)
        }
    }

    private mutating func begin(width: Int) {
        if columns.count < width {
            columns = [Int32](repeating: 0, count: width)
            left = [Int32](repeating: 0, count: width + 1)
        }
        for x in 0..<width { columns[x] = 0 }
    }

    /// Adds the row that begins at `start` to the columns, or subtracts it.
    @inline(__always)
    private mutating func change(by sign: Int32, _ pixels: Span<UInt8>, rowAt start: Int, _ width: Int) {
        var columns = columns.mutableSpan
        for x in 0..<width { columns[x] &+= sign &* Int32(pixels[start + x]) }
    }

    private mutating func accumulate(width: Int) {
        // Its own reference, since the compiler takes the two spans for overlapping accesses.
        let array = columns
        let columns = array.span
        var left = left.mutableSpan
        var sum: Int32 = 0
        for x in 0..<width {
            sum &+= columns[x]
            left[x + 1] = sum
        }
    }

    /// - Parameter rows: the number of rows that the window covers.
    private func compare(
        _ pixels: Span<UInt8>, rowAt start: Int, _ width: Int, _ window: Window, rows: Int32,
        to target: inout GreyPicture
    ) {
        let sums = left.span
        var result = target.pixels.mutableSpan
        for x in 0..<width {
            let (first, end) = (max(x - window.reach, 0), min(x + window.reach, width - 1) + 1)
            let area = rows &* Int32(truncatingIfNeeded: end - first)
            let isDark = (Int32(pixels[start + x]) &+ window.offset) &* area < sums[end] &- sums[first]
            result[start + x] = isDark ? 1 : 0
        }
    }
}
