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

    /// Hidden fields of a form.
    package static func hidden(_ fields: [(name: String, value: String)]) -> String {
        fields.map { #"<input type="hidden" name="\#($0.name)" value="\#(escaped($0.value))">"# }.joined()
    }
}

extension PageWords {
    /// A whole page, from parts that are safe for their places.
    /// - Parameter head: further content of the head.
    package func page(_ title: String, style: String, icon: String, head: String, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(language)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <link rel="stylesheet" href="\(style)">
        <link rel="icon" href="\(icon)">
        \(head)
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }
}
