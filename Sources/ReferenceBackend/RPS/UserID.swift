// SPDX-License-Identifier: Apache-2.0

/// What people are called: usually their mail address.
enum UserID {
    /// Up to 255 bytes, something visible, no control characters: it goes into a mail's header and onto pages.
    static func isValid(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            && !text.allSatisfy(\.isWhitespace)
    }
}
