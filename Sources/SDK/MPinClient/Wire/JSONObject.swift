// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// A reply's body, which must be a JSON object under any content type. A blank body is the empty object
/// (docs/protocol/milagro.md, section 3).
///
/// The body stays in the wiped bytes in which it was received. Each value is read from there in the type that the
/// caller expects, and a secret is read into wiped bytes without passing through a `String`. Any other type is an
/// error: nothing is converted.
struct JSONObject: Sendable {
    private static let bounds = JSONScanner.Bounds(length: HTTPRequest.maximumReplyLength, depth: 16, members: 256)

    private let body: SecretBytes
    private let values: [String: JSONScanner.Value]

    init(_ body: SecretBytes) throws(JSONError) {
        self.body = body
        values = try body.withBytes { text throws(JSONError) in
            var values: [String: JSONScanner.Value] = [:]
            for member in try JSONScanner.members(of: text, within: JSONObject.bounds) {
                guard let key = JSONObject.decode(text.extracting(member.key)) else {
                    throw JSONError("a key has a malformed escape")
                }
                guard values.updateValue(member.value, forKey: key) == nil else {
                    throw JSONError("the object has a key twice")
                }
            }
            return values
        }
    }

    /// - Returns: nil also for the character U+0000, which no text of the protocol contains and which ends a text for C
    ///   code.
    static func decode(_ characters: Span<UInt8>) -> String? {
        guard let text = JSONText.decode(characters), !text.utf8.contains(0) else { return nil }
        return text
    }

    /// The whole body as received.
    var text: SecretBytes { body }

    var keys: some Collection<String> { values.keys }

    /// - Returns: nil when the key is absent or null.
    func optionalString(_ key: String) throws(JSONError) -> String? {
        guard let value = present(key) else { return nil }
        guard case .string = value.kind else { throw JSONError("`\(key)` is not text") }
        guard let text = body.withBytes({ JSONObject.decode($0.extracting(value.range)) }) else {
            throw JSONError("`\(key)` has a malformed escape")
        }
        return text
    }

    func string(_ key: String) throws(JSONError) -> String {
        guard let text = try optionalString(key) else { throw JSONError("`\(key)` is missing") }
        return text
    }

    func optionalBoolean(_ key: String) throws(JSONError) -> Bool? {
        guard let value = present(key) else { return nil }
        guard case .boolean(let flag) = value.kind else { throw JSONError("`\(key)` is not a boolean") }
        return flag
    }

    func boolean(_ key: String) throws(JSONError) -> Bool {
        guard let flag = try optionalBoolean(key) else { throw JSONError("`\(key)` is missing") }
        return flag
    }

    /// A whole number, written without fraction and exponent.
    func integer(_ key: String) throws(JSONError) -> Int64 {
        guard let value = present(key) else { throw JSONError("`\(key)` is missing") }
        guard case .number = value.kind, let number = Int64(plainText(value)) else {
            throw JSONError("`\(key)` is not a whole number")
        }
        return number
    }

    /// Bytes written as hexadecimal digits of either case.
    ///
    /// - Parameter counts: the permitted number of bytes.
    func bytes(_ key: String, counts: ClosedRange<Int>) throws(JSONError) -> [UInt8] {
        let secret = try secretBytes(key, counts: counts)
        return secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// Like ``bytes(_:counts:)``, for a secret.
    func secretBytes(_ key: String, counts: ClosedRange<Int>) throws(JSONError) -> SecretBytes {
        let range = try stringRange(key)
        return try body.withBytes { text throws(JSONError) in
            guard let bytes = SecretBytes(hex: text.extracting(range), counts: counts) else {
                throw JSONError("`\(key)` is not \(counts.description) bytes in hexadecimal")
            }
            return bytes
        }
    }

    /// A one-time token: exactly `digits` hexadecimal digits, kept unchanged, because the server compares text.
    func token(_ key: String, digits: Int) throws(JSONError) -> SecretBytes {
        let range = try stringRange(key)
        return try body.withBytes { text throws(JSONError) in
            let characters = text.extracting(range)
            guard characters.count == digits, SecretBytes(hex: characters, counts: 0...digits) != nil else {
                throw JSONError("`\(key)` is not \(digits) hexadecimal digits")
            }
            return SecretBytes(copying: characters)
        }
    }

    /// A secret text: visible ASCII without escapes, except the slash, which some writers escape.
    ///
    /// - Parameter counts: the permitted number of characters.
    func secretText(_ key: String, counts: ClosedRange<Int>) throws(JSONError) -> SecretBytes {
        let range = try stringRange(key)
        return try body.withBytes { text throws(JSONError) in
            let characters = text.extracting(range)
            let slashes = characters.indices.count { JSONObject.isEscapedSlash(characters, at: $0) }
            let isPlain = characters.indices.allSatisfy { index in
                (0x21...0x7E).contains(characters[index])
                    && (characters[index] != UInt8(ascii: "\\") || JSONObject.isEscapedSlash(characters, at: index))
            }
            guard counts.contains(characters.count - slashes), isPlain else {
                throw JSONError("`\(key)` is not \(counts.description) visible characters")
            }
            return SecretBytes(capacity: characters.count) { output in
                for index in characters.indices where !JSONObject.isEscapedSlash(characters, at: index) {
                    output.append(characters[index])
                }
            }
        }
    }

    /// Whether the backslash of `\/` stands at `index`. A preceding backslash is impossible, because that would be no
    /// plain text.
    private static func isEscapedSlash(_ characters: Span<UInt8>, at index: Int) -> Bool {
        characters[index] == UInt8(ascii: "\\") && index + 1 < characters.count
            && characters[index + 1] == UInt8(ascii: "/")
    }

    /// The value as written in the body, of any type; nil when the key is absent or null.
    func json(_ key: String) -> SecretBytes? {
        guard let value = present(key) else { return nil }
        var range = value.range
        // A string's range leaves the quotes out.
        if case .string = value.kind { range = (range.lowerBound - 1)..<(range.upperBound + 1) }
        return body.withBytes { SecretBytes(copying: $0.extracting(range)) }
    }

    /// Whether the key is present and not null.
    func isPresent(_ key: String) -> Bool { present(key) != nil }

    /// The value as plain text, for settings that only a caller understands: texts unescaped, whole numbers and
    /// booleans as written; nil for everything else.
    func parameter(_ key: String) -> String? {
        guard let value = present(key) else { return nil }
        switch value.kind {
        case .string: return try? optionalString(key)
        case .number, .boolean: return plainText(value)
        case .object, .array, .null: return nil
        }
    }

    private func present(_ key: String) -> JSONScanner.Value? {
        guard let value = values[key] else { return nil }
        if case .null = value.kind { return nil }
        return value
    }

    private func stringRange(_ key: String) throws(JSONError) -> Range<Int> {
        guard let value = present(key) else { throw JSONError("`\(key)` is missing") }
        guard case .string = value.kind else { throw JSONError("`\(key)` is not text") }
        return value.range
    }

    private func plainText(_ value: JSONScanner.Value) -> String {
        body.withBytes { text in
            let characters = text.extracting(value.range)
            return String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self)
        }
    }
}
