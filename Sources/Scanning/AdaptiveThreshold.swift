// SPDX-License-Identifier: Apache-2.0

import KioskCore

/// Makes a picture black and white: a pixel is black when it is darker than the mean of the window around it by more
/// than the offset. Uneven light and washed-out displays lose their hold by that.
///
/// The window is cut off at the picture's edges. Sums are carried along, so that the work does not depend on the window.
struct AdaptiveThreshold {
    /// The window reaches this far to each side: 15 is a window of 31.
    let reach: Int
    let offset: Int

    // The sum of each column over the rows that the window covers at present.
    private var columns: [Int32] = []

    /// - Parameter window: an odd number of pixels.
    init(window: Int, offset: Int) {
        precondition(window > 1 && window % 2 == 1)
        reach = window / 2
        self.offset = offset
    }

    mutating func apply(_ frame: borrowing Frame, to target: inout LumaBuffer) {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        target.resize(width: width, height: height)
        if columns.count < width { columns = [Int32](repeating: 0, count: width) }
        let (reach, offset) = (reach, offset)
        var columnSums = columns.mutableSpan
        frame.withPixels { source in
            target.withPixels { target in
                var x = 0
                while x < width {
                    columnSums[x] = 0
                    x += 1
                }
                var y = 0
                while y < min(reach, height) {
                    AdaptiveThreshold.add(source, row: y * stride, width: width, to: &columnSums)
                    y += 1
                }
                y = 0
                while y < height {
                    if y + reach < height {
                        AdaptiveThreshold.add(source, row: (y + reach) * stride, width: width, to: &columnSums)
                    }
                    if y - reach > 0 {
                        AdaptiveThreshold.subtract(
                            source, row: (y - reach - 1) * stride, width: width, from: &columnSums)
                    }
                    let rows = min(y + reach, height - 1) - max(y - reach, 0) + 1
                    var sum = 0
                    x = 0
                    while x < min(reach, width) {
                        sum += Int(columnSums[x])
                        x += 1
                    }
                    x = 0
                    while x < width {
                        if x + reach < width { sum += Int(columnSums[x + reach]) }
                        if x - reach > 0 { sum -= Int(columnSums[x - reach - 1]) }
                        let count = rows * (min(x + reach, width - 1) - max(x - reach, 0) + 1)
                        // pixel < mean - offset, without a division
                        let isDark = (Int(source[y * stride + x]) + offset) * count < sum
                        target[y * width + x] = isDark ? 0 : 255
                        x += 1
                    }
                    y += 1
                }
            }
        }
    }

    private static func add(_ source: Span<UInt8>, row: Int, width: Int, to sums: inout MutableSpan<Int32>) {
        var x = 0
        while x < width {
            sums[x] += Int32(source[row + x])
            x += 1
        }
    }

    private static func subtract(_ source: Span<UInt8>, row: Int, width: Int, from sums: inout MutableSpan<Int32>) {
        var x = 0
        while x < width {
            sums[x] -= Int32(source[row + x])
            x += 1
        }
    }
}
