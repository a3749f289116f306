// SPDX-License-Identifier: Apache-2.0

/// Text that is safe in element content and in quoted attribute values.
package enum HTMLText {
    package static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    /// A sentence whose gaps, such as `{user}`, are filled.
    /// - Parameter gaps: the texts for the gaps, already safe. They are inserted as they are, even if they look like
    ///   a gap.
    package static func filled(
        _ sentence: String, _ gaps: [String: String], escaping: (String) -> String = escaped
    ) -> String {
        var rest = Substring(sentence)
        var text = ""
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += escaping(String(rest[..<open]))
            text += gaps[String(rest[rest.index(after: open)..<close])] ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return text + escaping(String(rest))
    }
}
