// SPDX-License-Identifier: Apache-2.0

/// What a picture's entry says about it: the manifest's `expect`.
enum EntryRule: String, Decodable {
    /// One of the texts must be read.
    case text
    /// All of the texts must be read.
    case multiple
    /// The texts may be read, and none of them may become a login.
    case reject
    /// Nothing may be read.
    case none
    /// A damaged frame: nothing but the texts may be read.
    case noneOrText = "none-or-text"

    /// Whether an entry counts among those that are to be read.
    var asksForText: Bool { self == .text || self == .multiple }
}
