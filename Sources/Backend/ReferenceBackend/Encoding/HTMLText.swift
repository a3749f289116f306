// SPDX-License-Identifier: Apache-2.0

/// Text made safe for element content and quoted attribute values alike.
enum HTMLText {
    static func escaped(_ text: String) -> String {
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

    /// A sentence with its gaps, which are written `{user}`.
    /// - Parameter gaps: what is put in, and is safe already. It is put in as it is, also when it looks like a gap.
    static func filled(
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
