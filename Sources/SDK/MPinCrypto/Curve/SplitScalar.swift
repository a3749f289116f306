// SPDX-License-Identifier: Apache-2.0

/// A scalar as first + second * lambda modulo r, with halves of 127 bits; lambda is the number that the endomorphism of
/// a group multiplies by.
struct SplitScalar {
    /// Both halves with 8 added in every window, so that negative halves become positive. A window of four bits
    /// therefore stands for its value minus 8.
    private let first, second: UInt128

    /// The number of windows in each half.
    static var windows: Int { 32 }

    /// Takes halves modulo 2^128. The first must be in 0 ..< 2^127 - 2^124, the second in -2^64 ..< 2^127 - 2^124.
    init(first: UInt128, second: UInt128) {
        let offset: UInt128 = 0x8888_8888_8888_8888_8888_8888_8888_8888
        self.first = first &+ offset
        self.second = second &+ offset
    }

    /// Four bits of each half; window 0 holds the least significant ones.
    @inline(__always)
    func window(_ index: Int) -> (first: UInt64, second: UInt64) {
        (Self.window(index, of: first), Self.window(index, of: second))
    }

    @inline(__always)
    private static func window(_ index: Int, of half: UInt128) -> UInt64 {
        ((index < 16 ? half.low : half.high) &>> UInt64(4 &* (index & 15))) & 15
    }
}
