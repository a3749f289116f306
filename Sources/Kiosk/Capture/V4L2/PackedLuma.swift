// SPDX-License-Identifier: Apache-2.0

/// Takes the luma out of packed YUV 4:2:2.
enum PackedLuma {
    /// - Parameters:
    ///   - bytes: rows of pairs of luma and colour, `stride` bytes apart; the number of rows is that of `frame`.
    ///   - first: where the first luma of a row is, 0 or 1.
    ///   - frame: has the size of the picture already.
    static func copy(_ bytes: UnsafeRawBufferPointer, from first: Int, stride: Int, to frame: inout FrameBuffer) {
        let (width, height) = (frame.width, frame.height)
        // Safe: the caller has checked that height rows of 2 * width bytes are there, and the target holds width a row.
        unsafe frame.pixels.withUnsafeMutableBufferPointer { target in
            guard let source = bytes.baseAddress, let target = target.baseAddress else { return }
            for y in 0..<height {
                let row = unsafe (source + y * stride).assumingMemoryBound(to: UInt8.self)
                let line = unsafe target + y * width
                var x = 0
                // Sixteen pixels at a time: the even or odd bytes of two vectors.
                while x + 16 <= width {
                    let low = unsafe UnsafeRawPointer(row + 2 * x).loadUnaligned(as: SIMD16<UInt8>.self)
                    let high = unsafe UnsafeRawPointer(row + 2 * x + 16).loadUnaligned(as: SIMD16<UInt8>.self)
                    let luma =
                        first == 0
                        ? SIMD16(lowHalf: low.evenHalf, highHalf: high.evenHalf)
                        : SIMD16(lowHalf: low.oddHalf, highHalf: high.oddHalf)
                    unsafe UnsafeMutableRawPointer(line + x).storeBytes(of: luma, as: SIMD16<UInt8>.self)
                    x += 16
                }
                while x < width {
                    unsafe line[x] = row[2 * x + first]
                    x += 1
                }
            }
        }
    }
}
