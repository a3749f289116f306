// SPDX-License-Identifier: Apache-2.0

import Encoding

/// A parameter of a refused request, as it came.
package struct SentField: Sendable {
    package enum Content: Sendable, Equatable {
        case missing
        case repeated
        /// A value that is shown to nobody.
        case invalid
        /// Visible ASCII characters, bounded. A stranger may have chosen them.
        case value(String)
    }

    package let name: String
    package let content: Content

    /// Characters of a value that are shown.
    static let longest = 200

    init(_ name: String, in fields: FormFields, _ repeated: Set<String> = []) {
        self.name = name
        content =
            repeated.contains(name) ? .repeated : fields[name].map { .value(Self.visible($0)) } ?? .missing
    }

    init(invalid name: String) { (self.name, content) = (name, .invalid) }

    /// The text, cut, with every other character than a visible ASCII one percent-encoded, so that it is no sentence.
    package static func visible(_ text: String) -> String {
        var shown = ""
        for byte in text.utf8 {
            guard shown.utf8.count < longest else { return shown + "..." }
            if (0x21...0x7e).contains(byte) {
                shown.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                shown += "%" + Hexadecimal.capitalText([byte])
            }
        }
        return shown
    }

    /// The field for a log or a page: `name=value`.
    package var text: String {
        switch content {
        case .missing: name + " is missing"
        case .repeated: name + " occurs twice"
        case .invalid: name + " is not valid"
        case .value(let value): name + "=" + value
        }
    }
}
