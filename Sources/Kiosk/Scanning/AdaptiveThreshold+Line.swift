// SPDX-License-Identifier: Apache-2.0

extension AdaptiveThreshold {
    /// One row of the picture and the window that goes along it.
    struct Line {
        /// The index at which the row begins.
        var source: Int
        var target: Int
        var width: Int
        /// The window reaches this far to each side.
        var reach: Int
        /// The number of rows that it covers here.
        var rows: Int
        var isInverted: Bool

        /// - Parameter sums: of the columns left of each.
        @_lifetime(result: copy result)
        func compare(_ pixels: Span<UInt8>, by sums: Span<UInt32>, to result: inout MutableSpan<UInt8>) {
            let offset = AdaptiveThreshold.offset
            var x = 0
            while x < min(reach, width) {
                compareOne(at: x, of: pixels, by: sums, to: &result)
                x += 1
            }
            // Where the window is whole, its area is the same for all.
            let area = SIMD16<Float>(repeating: Float(rows * (2 * reach + 1)))
            let margin = SIMD16<Float>(repeating: Float(isInverted ? -offset : offset))
            while x + 16 + reach <= width {
                let right = unsafe sums.bytes.unsafeLoadUnaligned(
                    fromByteOffset: 4 * (x + reach + 1), as: SIMD16<UInt32>.self)
                let left = unsafe sums.bytes.unsafeLoadUnaligned(
                    fromByteOffset: 4 * (x - reach), as: SIMD16<UInt32>.self)
                // Exact: everything is a whole number below 2^24.
                let sum = SIMD16<Float>(SIMD16<Int32>(truncatingIfNeeded: right &- left))
                let pixel = SIMD16<Float>(SIMD16<Int32>(truncatingIfNeeded: pixels.block(at: source + x)))
                let value = (pixel + margin) * area
                let isBlack = isInverted ? value .> sum : value .< sum
                let white = SIMD16<Int32>(repeating: 255).replacing(with: 0, where: isBlack)
                result.store(PixelBlock(truncatingIfNeeded: white), at: target + x)
                x += 16
            }
            while x < width {
                compareOne(at: x, of: pixels, by: sums, to: &result)
                x += 1
            }
        }

        @_lifetime(result: copy result)
        private func compareOne(
            at x: Int, of pixels: Span<UInt8>, by sums: Span<UInt32>, to result: inout MutableSpan<UInt8>
        ) {
            let (left, right) = (max(x - reach, 0), min(x + reach, width - 1) + 1)
            let area = rows * (right - left)
            let sum = Int(sums[right]) - Int(sums[left])
            let (pixel, offset) = (Int(pixels[source + x]), AdaptiveThreshold.offset)
            let isBlack = isInverted ? (pixel - offset) * area > sum : (pixel + offset) * area < sum
            result[target + x] = isBlack ? 0 : 255
        }
    }
}
