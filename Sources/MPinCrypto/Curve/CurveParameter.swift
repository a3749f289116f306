// SPDX-License-Identifier: Apache-2.0

/// The number x from which everything about BN254CX follows: x = -0x4000000003C012B1.
enum CurveParameter {
    /// |x|; x itself is negative.
    static var magnitude: UInt64 { 0x4000_0000_03c0_12b1 }
}
