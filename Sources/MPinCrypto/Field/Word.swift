// SPDX-License-Identifier: Apache-2.0

/// All ones when the two numbers are equal, else zero. Both must be below 2^63.
@_transparent
func maskIfEqual(_ a: UInt64, _ b: UInt64) -> UInt64 { 0 &- (((a ^ b) &- 1) &>> 63) }
