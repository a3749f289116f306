// SPDX-License-Identifier: Apache-2.0

/// One row of a screen: a text that fits, and its style.
struct StyledLine: Sendable, Hashable {
    enum Style: Sendable { case plain, title, warning, document, hint, key, entry, picture }

    var text: String
    var style: Style

    init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}
