// SPDX-License-Identifier: Apache-2.0

/// Some GPIO lines of one chip, held for one use, at most 64. They are let go when the bank goes.
///
/// Lines are bits in a word, the first line the lowest; a set bit is an active line, whatever its level.
public protocol LineBank: ~Copyable, SendableMetatype {
    /// Makes every line what the list says, in its order; outputs have their value at once.
    ///
    /// - Throws: when the chip refuses or is gone. Lines before the refused one may have changed.
    mutating func configure(_ lines: [LineSettings]) throws(LineError)

    /// Sets all outputs; the bits of inputs do nothing.
    mutating func set(_ active: UInt64) throws(LineError)

    /// Reads all lines, those that are debounced as they were before they began to bounce.
    mutating func values() throws(LineError) -> UInt64

    /// Waits for edges, for the end of the limit, or until `stop` can be read.
    mutating func wait(within limit: Duration, orStop stop: Int32) throws(LineError) -> LineWait

    /// The edges that came and nobody has taken, the oldest first; never waits. When nobody takes them the oldest are
    /// lost, which their sequence shows.
    mutating func takeEdges() throws(LineError) -> [LineEdge]
}
