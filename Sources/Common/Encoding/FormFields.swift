// SPDX-License-Identifier: Apache-2.0

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

    /// The fields that have a value. OAuth treats a field without one as left out (RFC 6749, sections 3.1 and 3.2).
    package var withoutEmptyValues: FormFields {
        var fields = self
        fields.values = values.filter { !$0.value.isEmpty }
        return fields
    }

    /// `name=value` pairs in the order given. Everything but unreserved characters is escaped.
    package static func text(_ fields: [(name: String, value: String)]) -> String {
        fields.map { PercentEncoding.text($0.name) + "=" + PercentEncoding.text($0.value) }.joined(separator: "&")
    }

    /// Nil when a percent escape is broken or the bytes it stands for are not UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? { decoded(Array(text.utf8)) }

    private static func decoded(_ text: [UInt8]) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            guard let (byte, isEscaped) = PercentEncoding.byte(in: text.span, at: &index) else { return nil }
            bytes.append(byte == UInt8(ascii: "+") && !isEscaped ? UInt8(ascii: " ") : byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
