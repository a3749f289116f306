// SPDX-License-Identifier: Apache-2.0

/// A key and what it does in a view.
public struct ViewAction: Sendable, Equatable {
    public let key: Key
    public let label: Prompt

    public init(_ key: Key, _ label: PromptKey) {
        self.key = key
        self.label = Prompt(label)
    }
}
