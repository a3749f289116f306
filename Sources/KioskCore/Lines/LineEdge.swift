// SPDX-License-Identifier: Apache-2.0

/// A change of an input line.
public struct LineEdge: Hashable, Sendable {
    /// The line's place in its bank.
    public let line: Int
    public let isActive: Bool
    /// Counts the edges of the bank from 1, lost ones included; begins anew after 2^32.
    public let sequence: UInt32

    public init(line: Int, isActive: Bool, sequence: UInt32) {
        self.line = line
        self.isActive = isActive
        self.sequence = sequence
    }
}
