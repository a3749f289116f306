// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whom an identity belongs to, usually a mail address, in the only spelling that this backend knows: lower case,
/// normal form C. Whatever comes in from a client, an operator or a page is read into this first, so that two spellings
/// of one user are one user everywhere: in the database, in codes and tokens, on the operator's page.
///
/// Code that keeps or compares one uses ``text``. In normal form C the equality of strings, which is that of Unicode,
/// is the equality of bytes. The equality of bytes is that of the database and of mail servers.
struct UserID: Sendable {
    static let maximumLength = 255
    /// In bytes of an mpin_id, of whose 768 all else takes less than 288.
    static let maximumEscapedLength = 480

    /// 1 to 255 bytes.
    let text: String

    /// Why a text is no user id.
    enum Problem: Error, Equatable {
        case empty
        /// In bytes, once normalised.
        case tooLong
        /// A control or format character (so also those that change the direction of text), one without a width, or a
        /// space that is not a single one between two words; counted from 1.
        case invisible(position: Int)
    }

    /// - Throws: ``Problem``.
    init(_ typed: String) throws(Problem) {
        // Nothing that is this long gets short enough.
        guard typed.utf8.count <= 4 * Self.maximumLength else { throw .tooLong }
        let text = Self.normalized(typed)
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        if let position = Self.firstInvisible(in: text) { throw .invisible(position: position + 1) }
        self.text = text
    }

    /// Reads one that begins a registration: its mpin_id, in which a character outside of ASCII takes six bytes or
    /// twelve, has to be one that devices take.
    init(registering typed: String) throws(Problem) {
        try self.init(typed)
        guard MPinIDText.escaped(text).utf8.count <= Self.maximumEscapedLength else { throw .tooLong }
    }

    /// Lower case, normal form C.
    static func normalized(_ text: String) -> String {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        return isASCII ? text.lowercased() : composed(composed(text).lowercased())
    }

    private static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }

    /// The index of the first scalar that people do not see, or see as another one.
    static func firstInvisible(in text: String) -> Int? {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.first { index in
            guard scalars[index] != " " else {
                return index == 0 || index == scalars.count - 1 || scalars[index - 1] == " "
            }
            return isInvisible(scalars[index])
        }
    }

    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned,
            .surrogate:
            true
        // U+2800 is a Braille cell without dots, U+FFFC stands for an object that is not there.
        default: scalar.properties.isDefaultIgnorableCodePoint || [0x2800, 0xFFFC].contains(scalar.value)
        }
    }
}

extension UserID.Problem: CustomStringConvertible {
    /// Without what was typed.
    var description: String {
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
    /// Reads the user id that an older version stored. That version compared byte by byte and took any character. A
    /// user that was only written in other case is the same one. Anything else is spelled out in ASCII. It belonged to
    /// a person who proved another address than the one that it looks like. It must not become the user id of that
    /// address.
    init(storedByOlderVersion text: String) {
        let isComposed = text.utf8.elementsEqual(Self.composed(text).utf8)
        if isComposed, let userID = try? UserID(text) {
            self = userID
            return
        }
        var spelled = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII, !Self.isInvisible(scalar), scalar != " " {
                spelled += String(scalar).lowercased()
            } else {
                spelled += "<u+\(String(scalar.value, radix: 16))>"
            }
        }
        let isShort = spelled.utf8.count <= Self.maximumLength
        self.text = isShort ? spelled : "<\(Hexadecimal.text(Digest.sha256(Array(text.utf8))))>"
    }
}
