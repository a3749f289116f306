// SPDX-License-Identifier: Apache-2.0

/// Neighbouring pixels of a row, worked on at once.
typealias PixelBlock = SIMD16<UInt8>

extension Span where Element == UInt8 {
    /// The pixels from `index` on.
    @inline(__always)
    func block<Block: BitwiseCopyable>(at index: Int, as type: Block.Type = PixelBlock.self) -> Block {
        // Safe: any bytes are pixels, and the bounds are checked.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: type)
    }
}

extension MutableSpan where Element == UInt8 {
    /// Writes the pixels from `index` on.
    @inline(__always) @_lifetime(self: copy self)
    mutating func store<Block: SIMD & BitwiseCopyable>(_ block: Block, at index: Int) where Block.Scalar == UInt8 {
        precondition(index >= 0 && index <= count - Block.scalarCount)
        // Safe: any bytes are pixels, and the bounds were checked. `mutableBytes` would check them itself, but is an
        // unsafe operation for Swift 6.3 and none for 6.2.
        unsafe withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: block, toByteOffset: index, as: Block.self)
        }
    }
}
