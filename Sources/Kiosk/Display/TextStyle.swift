// SPDX-License-Identifier: Apache-2.0

/// The look of a text.
struct TextStyle: Sendable, Hashable {
    enum Face: Sendable, Hashable {
        case words
        /// Every character has the same width.
        case rows
    }

    /// Weights, as CSS numbers them.
    static let regular = 400
    static let semibold = 600
    static let bold = 700

    /// Pixels of an em.
    var size: Int
    var weight: Int
    var face = Face.words

    init(_ size: Int, _ weight: Int = TextStyle.regular, _ face: Face = .words) {
        self.size = size
        self.weight = weight
        self.face = face
    }
}

/// The room that a text takes, in pixels.
struct TextSize: Sendable, Hashable {
    let width: Int
    let height: Int
}
