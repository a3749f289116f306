// SPDX-License-Identifier: Apache-2.0

/// Sentences in the form of a file: `name: "text"`, one a line.
///
/// This is the part of YAML that a catalogue needs: comments on lines of their own, names of ASCII letters and digits,
/// texts in double quotes with `\"` and `\\` as the only escapes. Everything else is an error with its line.
package struct SentenceFile: Sendable, Hashable {
    static let maximumLength = 64 * 1024
    static let maximumNameLength = 64

    package private(set) var sentences: [String: String] = [:]

    /// - Parameter bytes: UTF-8.
    package init(_ bytes: some Collection<UInt8>) throws(SentenceFileError) {
        guard bytes.count <= SentenceFile.maximumLength else { throw SentenceFileError(.tooLong, line: 0) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw SentenceFileError(.notUTF8, line: 0) }
        // Scalars, because a carriage return and a line feed form one character.
        for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do throws(SentenceFileError.Reason) {
                guard let (name, sentence) = try SentenceFile.entry(line) else { continue }
                guard sentences.updateValue(sentence, forKey: name) == nil else { throw .duplicate }
            } catch {
                throw SentenceFileError(error, line: index + 1)
            }
        }
    }

    /// - Returns: nil for an empty line or a comment.
    private static func entry(
        _ line: Substring.UnicodeScalarView
    ) throws(SentenceFileError.Reason) -> (name: String, sentence: String)? {
        if line.isEmpty || line.first == "#" { return nil }
        let name = line.prefix { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
        guard !name.isEmpty, name.count <= maximumNameLength else { throw .noName }
        var rest = line.dropFirst(name.count)
        guard rest.starts(with: ": \"".unicodeScalars) else { throw .noText }
        rest = rest.dropFirst(3)
        var sentence = ""
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"":
                guard rest.isEmpty else { throw .moreThanText }
                return (String(name), sentence)
            case "\\":
                guard let escaped = rest.popFirst(), escaped == "\"" || escaped == "\\" else { throw .unknownEscape }
                sentence.unicodeScalars.append(escaped)
            default:
                guard scalar.properties.generalCategory != .control else { throw .controlCharacter }
                sentence.unicodeScalars.append(scalar)
            }
        }
        throw .textWithoutEnd
    }
}
