// SPDX-License-Identifier: Apache-2.0

/// What the client sends first.
public struct Pass1Commitment: Hashable, Sendable {
    /// U = x A: 65 bytes.
    public let u: [UInt8]
    /// UT = x (A + AT): 65 bytes; nil without a time permit.
    public let ut: [UInt8]?
}
