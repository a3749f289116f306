// SPDX-License-Identifier: Apache-2.0

/// A document that the operator keeps ready to be signed.
public struct SigningTemplate: Sendable, Hashable {
    /// What it is called in the list.
    public let title: DisplayText
    public let text: DocumentText

    public init(title: DisplayText, text: DocumentText) {
        self.title = title
        self.text = text
    }
}
