// SPDX-License-Identifier: Apache-2.0

extension Limbs {
    /// Reads 32 bytes, the most significant first, from `offset` on.
    init(bigEndian bytes: borrowing Span<UInt8>, at offset: Int = 0) {
        func word(_ index: Int) -> UInt64 {
            var word: UInt64 = 0
            for position in 0..<8 { word = word << 8 | UInt64(bytes[offset + 8 * index + position]) }
            return word
        }
        self.init(word(3), word(2), word(1), word(0))
    }

    /// Writes 32 bytes, the most significant first, from `offset` on.
    func write(to bytes: inout MutableSpan<UInt8>, at offset: Int) {
        func write(_ word: UInt64, _ index: Int) {
            for position in 0..<8 {
                bytes[offset + 8 * index + position] = UInt8(truncatingIfNeeded: word &>> UInt64(56 - 8 * position))
            }
        }
        write(w3, 0)
        write(w2, 1)
        write(w1, 2)
        write(w0, 3)
    }
}
