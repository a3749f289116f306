// SPDX-License-Identifier: Apache-2.0

/// One row of a screen: a text that fits, and how it looks.
struct StyledLine: Sendable, Hashable {
    enum Style: Sendable { case plain, title, document, hint, key, entry }

    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}
