// SPDX-License-Identifier: Apache-2.0

/// Findings of a store that do not make it fail. A program shows and logs them.
public struct StoreHealth: Sendable, Equatable {
    /// The path to which an unusable database was moved; its readable rows were rescued.
    public var movedAside: String?
    /// The number of identities that could not be rescued, now or earlier, since the operator last took note.
    public var lost = 0
    /// Rows of the table `identity` with damaged records, ascending. Their identities are left out, and registering
    /// again replaces them. Rows are numbers, so that a log names no person.
    public var damagedRows: [Int64] = []

    /// Makes the findings of a store in which all is well.
    public init() {}

    /// The number of people who have to register again.
    public var missing: Int { lost + damagedRows.count }

    /// Whether there is nothing to report.
    public var isGood: Bool { self == StoreHealth() }
}
