// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a door's settings, and what would be right.
public struct DoorSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which setting; nil for the door as a whole.
    public let field: String?
    public let problem: String

    init(_ field: String?, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    public var description: String { field.map { "'\($0)' \(problem)" } ?? problem }
}
