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
    @inline(__always)
    mutating func store(_ block: PixelBlock, at index: Int) {
        // Safe: any bytes are pixels, and the bounds are checked.
        var bytes = unsafe mutableBytes
        bytes.storeBytes(of: block, toByteOffset: index, as: PixelBlock.self)
    }
}
