// SPDX-License-Identifier: Apache-2.0

/// Notices edges that were lost because nobody took them in time.
public struct EdgeCounter: Sendable {
    private var last: UInt32 = 0

    public init() {}

    /// - Returns: how many edges are missing before and among these.
    public mutating func lost(in edges: [LineEdge]) -> Int {
        var lost = 0
        for edge in edges {
            lost += Int(edge.sequence &- last &- 1)
            last = edge.sequence
        }
        return lost
    }
}
