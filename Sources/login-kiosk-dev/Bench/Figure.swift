// SPDX-License-Identifier: Apache-2.0

/// What a measurement tells beside a time: a word in the last column of the table, a member of its own in JSON.
struct Figure: Sendable {
    /// The member's name, with its unit: `per_second`.
    var name: String
    var value: Double
    /// With the unit, for people: `120 a second`.
    var text: String
}
