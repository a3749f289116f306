// SPDX-License-Identifier: Apache-2.0

/// Findings of a store that are no reason to fail. A program shows and logs them.
public struct StoreHealth: Sendable, Equatable {
    /// The database could not be used as it was, and this is where it was moved; what could be read of it was rescued.
    public var movedAside: String?
    /// How many identities could not be rescued, here or earlier, since the operator last took note.
    public var lost = 0
    /// Rows of the table `identity` whose record is not what was saved, ascending. Their identities are left out, and
    /// registering again replaces them. Rows are numbers, so that a log names no person.
    public var damagedRows: [Int64] = []

    public init() {}

    /// How many people have to register again.
    public var missing: Int { lost + damagedRows.count }

    public var isGood: Bool { self == StoreHealth() }
}
