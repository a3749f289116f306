// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The fields of a query string or of an `application/x-www-form-urlencoded` body.
///
/// A name that occurs twice keeps its first value, so that nothing can be smuggled in behind a signed field.
package struct FormFields: Hashable, Sendable {
    package private(set) var values: [String: String] = [:]
    /// The names that occur more than once.
    package private(set) var repeatedNames: Set<String> = []

    /// Nil when a percent escape is broken or the bytes it stands for are not UTF-8.
    package init?(_ text: some StringProtocol) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(Array(halves[0])),
                let value = halves.count > 1 ? Self.decoded(Array(halves[1])) : ""
            else { return nil }
            if values[name] == nil { values[name] = value } else { repeatedNames.insert(name) }
        }
    }

    package subscript(name: String) -> String? { values[name] }

    /// The fields that have a value. OAuth counts a field without one as left out (RFC 6749, sections 3.1 and 3.2).
    package var withoutEmptyValues: FormFields {
        var fields = self
        fields.values = values.filter { !$0.value.isEmpty }
        return fields
    }

    /// `name=value` pairs in the order given. Everything but unreserved characters is escaped.
    package static func text(_ fields: [(name: String, value: String)]) -> String {
        fields.map { escaped($0.name) + "=" + escaped($0.value) }.joined(separator: "&")
    }

    /// The unreserved characters of RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    static func escaped(_ text: String) -> String {
        // Only a text of Objective-C, which need not be Unicode, gives nil.
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// Nil when a percent escape is broken or the bytes it stands for are not UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? { decoded(Array(text.utf8)) }

    /// Decodes without Foundation, which accepts bytes that are not UTF-8.
    private static func decoded(_ text: [UInt8]) -> String? {
        var bytes: [UInt8] = []
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "%"):
                guard position + 2 < text.count,
                    let byte = Hexadecimal.bytes(String(decoding: text[(position + 1)...(position + 2)], as: UTF8.self))
                else { return nil }
                bytes += byte
                position += 3
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
                position += 1
            case let byte:
                bytes.append(byte)
                position += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
