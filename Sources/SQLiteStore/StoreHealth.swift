// SPDX-License-Identifier: Apache-2.0

/// What a store has to report that is no reason to fail. A program shows it and logs it.
public struct StoreHealth: Sendable, Equatable {
    /// The database could not be read, and this is where it was moved; the store began empty.
    public var movedAside: String?
    /// Rows of the table `identity` whose record is not what was saved, ascending. Their identities are left out, and
    /// registering again replaces them. Rows are numbers, so that a log names nobody.
    public var damagedRows: [Int64] = []

    public init() {}

    public var isGood: Bool { self == StoreHealth() }
}
