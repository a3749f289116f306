// SPDX-License-Identifier: Apache-2.0

/// Character references, as far as addresses contain them.
enum HTMLEntities {
    private static let named = ["amp": "&", "quot": "\"", "apos": "'", "lt": "<", "gt": ">"]

    static func resolve(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(12).firstIndex(of: ";"), let character = character(rest[..<end].dropFirst())
            else {
                result.append("&")
                rest = rest.dropFirst()
                continue
            }
            result += character
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        if let known = named[String(name)] { return known }
        guard name.first == "#" else { return nil }
        let number = name.dropFirst()
        let code =
            number.first?.lowercased() == "x" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number, radix: 10)
        return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
