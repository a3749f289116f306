// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

extension JSONObject {
    /// An object within this one.
    ///
    /// - Returns: nil when the key is absent or null.
    func optionalObject(_ key: String) throws(JSONError) -> JSONObject? {
        guard let text = json(key) else { return nil }
        guard text.withBytes({ $0[0] }) == UInt8(ascii: "{") else { throw JSONError("`\(key)` is not an object") }
        return try JSONObject(text)
    }

    /// A list of texts.
    ///
    /// - Parameter counts: the permitted number of texts.
    func strings(_ key: String, counts: ClosedRange<Int>) throws(JSONError) -> [String] {
        guard let text = json(key) else { throw JSONError("`\(key)` is missing") }
        return try text.withBytes { text throws(JSONError) in
            guard text[0] == UInt8(ascii: "[") else { throw JSONError("`\(key)` is not a list") }
            let values = try JSONScanner.elements(of: text, atMost: counts.upperBound)
            guard values.count >= counts.lowerBound else { throw JSONError("`\(key)` has too few elements") }
            var strings: [String] = []
            for value in values {
                guard case .string = value.kind, let string = JSONObject.decode(text.extracting(value.range)) else {
                    throw JSONError("`\(key)` has an element that is not text")
                }
                strings.append(string)
            }
            return strings
        }
    }
}
