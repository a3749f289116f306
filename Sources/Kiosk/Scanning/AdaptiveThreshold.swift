// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Makes a picture black and white: a pixel is black when it is darker than the mean of the window around it by more
/// than the offset. Uneven light and washed-out displays lose their hold by that.
///
/// The window is cut off at the picture's edges. Sums are carried along, so that the work does not depend
/// on the window.
struct AdaptiveThreshold {
    /// Beyond it, products would not be exact in single precision.
    static let largestWindow = 251

    // The sum of each column over the rows that the window covers at present.
    private var columnStore: [UInt16] = []
    // The sums of the columns left of each, which make a window's sum one difference.
    private var sumStore: [UInt32] = []

    /// - Parameters:
    ///   - window: an odd number of pixels.
    ///   - isInverted: whether what is lighter than its surroundings becomes black.
    mutating func apply(
        _ frame: borrowing Frame, window: Int, offset: Int, isInverted: Bool = false, to target: LumaBuffer
    ) {
        precondition(window > 1 && window % 2 == 1 && window <= AdaptiveThreshold.largestWindow)
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        target.resize(width: width, height: height)
        if columnStore.count < width {
            columnStore = [UInt16](repeating: 0, count: width)
            sumStore = [UInt32](repeating: 0, count: width + 1)
        }
        let reach = window / 2
        // Taken out for the call: both are lent at once.
        var (columnStore, sumStore): ([UInt16], [UInt32]) = ([], [])
        swap(&columnStore, &self.columnStore)
        swap(&sumStore, &self.sumStore)
        defer {
            swap(&columnStore, &self.columnStore)
            swap(&sumStore, &self.sumStore)
        }
        var columns = columnStore.mutableSpan
        var sums = sumStore.mutableSpan
        frame.withPixels { source in
            target.withPixels { target in
                var x = 0
                while x < width {
                    columns[x] = 0
                    x += 1
                }
                var y = 0
                while y < min(reach, height) {
                    Self.add(source, row: y * stride, width: width, to: &columns)
                    y += 1
                }
                y = 0
                while y < height {
                    if y + reach < height {
                        Self.add(source, row: (y + reach) * stride, width: width, to: &columns)
                    }
                    if y - reach > 0 {
                        Self.subtract(source, row: (y - reach - 1) * stride, width: width, from: &columns)
                    }
                    var sum: UInt32 = 0
                    x = 0
                    while x < width {
                        sum &+= UInt32(columns[x])
                        sums[x + 1] = sum
                        x += 1
                    }
                    let rows = min(y + reach, height - 1) - max(y - reach, 0) + 1
                    let line = Line(
                        source: y * stride, target: y * width, width: width, reach: reach, rows: rows, offset: offset,
                        isInverted: isInverted)
                    line.compare(source, sums.span, &target)
                    y += 1
                }
            }
        }
    }

    @_lifetime(columns: copy columns)
    private static func add(_ source: Span<UInt8>, row: Int, width: Int, to columns: inout MutableSpan<UInt16>) {
        var x = 0
        while x + 16 <= width {
            let pixels = SIMD16<UInt16>(truncatingIfNeeded: source.block(at: row + x))
            columns.store(columns.block(at: x) &+ pixels, at: x)
            x += 16
        }
        while x < width {
            columns[x] &+= UInt16(source[row + x])
            x += 1
        }
    }

    @_lifetime(columns: copy columns)
    private static func subtract(_ source: Span<UInt8>, row: Int, width: Int, from columns: inout MutableSpan<UInt16>) {
        var x = 0
        while x + 16 <= width {
            let pixels = SIMD16<UInt16>(truncatingIfNeeded: source.block(at: row + x))
            columns.store(columns.block(at: x) &- pixels, at: x)
            x += 16
        }
        while x < width {
            columns[x] &-= UInt16(source[row + x])
            x += 1
        }
    }
}

extension MutableSpan where Element == UInt16 {
    @inline(__always)
    fileprivate func block(at index: Int) -> SIMD16<UInt16> {
        // Safe: any bytes are sums, and the bounds are checked.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 2 * index, as: SIMD16<UInt16>.self)
    }

    @inline(__always) @_lifetime(self: copy self)
    fileprivate mutating func store(_ block: SIMD16<UInt16>, at index: Int) {
        precondition(index >= 0 && index <= count - block.scalarCount)
        // Safe: any bytes are sums, and the bounds were checked.
        unsafe withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: block, toByteOffset: 2 * index, as: SIMD16<UInt16>.self)
        }
    }
}
