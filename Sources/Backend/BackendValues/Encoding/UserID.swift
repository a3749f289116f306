// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import Sealing

/// The owner of an identity, usually a mail address, in this backend's only spelling: lower case, normal form C.
/// Every user id from a client, an operator or a page is read into this type first, so that two spellings mean the
/// same user in the database, in codes and tokens, and on the operator's page.
///
/// Code that stores or compares one uses ``text``. In normal form C, Swift's Unicode equality is the equality of
/// bytes, as in the database and in mail servers.
package struct UserID: Sendable {
    package static let maximumLength = 255
    /// In bytes of an mpin_id. Its other parts take less than 288 of 768.
    package static let maximumEscapedLength = 480

    /// 1 to 255 bytes.
    package let text: String

    /// The reason why a text is not a user id.
    package enum Problem: Error, Equatable {
        case empty
        /// More bytes than allowed, once normalised.
        case tooLong
        /// A control or format character (including those that change the direction of text), a character without
        /// width, or a space that is not a single one between two words. Positions begin with 1.
        case invisible(position: Int)
    }

    /// - Throws: ``Problem``.
    package init(_ typed: String) throws(Problem) {
        // Normalising cannot make it short enough.
        guard typed.utf8.count <= 4 * Self.maximumLength else { throw .tooLong }
        let text = Self.normalized(typed)
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        if let position = Self.firstInvisible(in: text) { throw .invisible(position: position) }
        self.text = text
    }

    /// Lower case in normal form C.
    package static func normalized(_ text: String) -> String {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        return isASCII ? text.lowercased() : composed(composed(text).lowercased())
    }

    private static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }

    /// The position, from 1, of the first scalar that people do not see, or take for another.
    package static func firstInvisible(in text: String) -> Int? {
        let scalars = Array(text.unicodeScalars)
        let first = scalars.indices.first { index in
            guard scalars[index] == " " else { return isInvisible(scalars[index]) }
            return index == 0 || index == scalars.count - 1 || scalars[index - 1] == " "
        }
        return first.map { $0 + 1 }
    }

    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned,
            .surrogate:
            true
        // U+2800 is a Braille cell without dots, U+FFFC stands for a missing object.
        default: scalar.properties.isDefaultIgnorableCodePoint || [0x2800, 0xFFFC].contains(scalar.value)
        }
    }
}

extension UserID.Problem: CustomStringConvertible {
    /// A text that does not repeat the input.
    package var description: String {
        switch self {
        case .empty: "the user id is empty"
        case .tooLong:
            "the user id is longer than \(UserID.maximumLength) bytes, or than \(UserID.maximumEscapedLength) where "
                + "every character outside of ASCII counts as 6 or 12"
        case .invisible(let position):
            "character \(position) of the user id is one that nobody sees: a control or format character, one without "
                + "a width, or a space too many"
        }
    }
}

extension UserID {
    /// Reads a user id that an older version stored. That version compared bytes and accepted any character. An id
    /// that differs only in case is the same user. Any other is escaped to ASCII: its owner proved another address
    /// than the one it looks like, and must not become the owner of that address.
    package init(storedByOlderVersion text: String) {
        if text.utf8.elementsEqual(Self.composed(text).utf8), let userID = try? UserID(text) {
            self = userID
            return
        }
        let spelled = text.unicodeScalars.map { scalar in
            let isPlain = scalar.isASCII && scalar != " " && !Self.isInvisible(scalar)
            return isPlain ? String(scalar).lowercased() : "<u+\(String(scalar.value, radix: 16))>"
        }.joined()
        let isShort = spelled.utf8.count <= Self.maximumLength
        self.text = isShort ? spelled : "<\(Hexadecimal.text(Digest.sha256(Array(text.utf8))))>"
    }
}
