// SPDX-License-Identifier: Apache-2.0

/// A sentence to show, without its words: a catalogue turns it into a language.
public struct Prompt: Sendable, Hashable {
    public let key: PromptKey
    /// Exactly the placeholders of `key`. Text from outside stands here as ``DisplayText`` made it.
    public let values: [PromptPlaceholder: String]

    public init(_ key: PromptKey, _ values: [PromptPlaceholder: String] = [:]) {
        self.key = key
        self.values = values
    }
}

/// A gap in a sentence.
public enum PromptPlaceholder: String, Sendable, CaseIterable {
    case service, domain, application, customer, user, status, minimum, number, seconds
    // Signing.
    case page, pages, name, hash
}
