// SPDX-License-Identifier: Apache-2.0

/// The sums of a picture's columns over the rows that a window covers at present.
struct ColumnSums {
    private var width = 0
    private var columns: [UInt16] = []
    /// The sums of the columns left of each, which make a window's sum one difference.
    private(set) var left: [UInt32] = []

    /// Begins with a picture of which no row is covered.
    mutating func begin(width: Int) {
        self.width = width
        if columns.count < width {
            columns = [UInt16](repeating: 0, count: width)
            left = [UInt32](repeating: 0, count: width + 1)
        }
        var columns = columns.mutableSpan
        for x in 0..<width { columns[x] = 0 }
    }

    /// Adds the row that begins at `start`.
    mutating func add(_ source: Span<UInt8>, rowAt start: Int) { change(source, rowAt: start, isAdded: true) }

    /// Subtracts the row that begins at `start`.
    mutating func subtract(_ source: Span<UInt8>, rowAt start: Int) { change(source, rowAt: start, isAdded: false) }

    // Inlined, so that `isAdded` is a constant in the loops.
    @inline(__always)
    private mutating func change(_ source: Span<UInt8>, rowAt start: Int, isAdded: Bool) {
        let width = width
        var columns = columns.mutableSpan
        var x = 0
        while x + 16 <= width {
            let pixels = SIMD16<UInt16>(truncatingIfNeeded: source.block(at: start + x))
            let sums = columns.block(at: x)
            columns.store(isAdded ? sums &+ pixels : sums &- pixels, at: x)
            x += 16
        }
        while x < width {
            let pixel = UInt16(source[start + x])
            columns[x] = isAdded ? columns[x] &+ pixel : columns[x] &- pixel
            x += 1
        }
    }

    /// Sums the columns up from the left.
    mutating func accumulate() {
        let width = width
        // Its own reference, since the compiler takes the two spans for overlapping accesses.
        let array = columns
        let columns = array.span
        var left = left.mutableSpan
        var sum: UInt32 = 0
        for x in 0..<width {
            sum &+= UInt32(columns[x])
            left[x + 1] = sum
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
