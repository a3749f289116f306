// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// Reads client settings of any dialect (docs/protocol/milagro.md, section 4.3).
struct SettingsReader {
    let object: JSONObject
    let backend: WebAddress

    /// Rewrites a text among the settings: relative URLs are resolved against the backend's URL, not against that of
    /// the settings, and websocket schemes become http schemes.
    func rewritten(_ text: String) -> String {
        if text.hasPrefix("/") { return backend.base.absoluteText + text }
        if text.hasPrefix("wss://") { return "https://" + text.dropFirst(6) }
        if text.hasPrefix("ws://") { return "http://" + text.dropFirst(5) }
        return text
    }

    /// Every text, whole number and boolean as text by its key, with absolute URLs.
    var parameters: [String: String] {
        var parameters: [String: String] = [:]
        for key in object.keys { parameters[key] = object.parameter(key).map(rewritten) }
        return parameters
    }

    func address(_ key: String) throws(JSONError) -> WebAddress {
        guard let address = try optionalAddress(key) else { throw JSONError("`\(key)` is missing") }
        return address
    }

    /// - Returns: nil when the key is absent or its text empty.
    func optionalAddress(_ key: String) throws(JSONError) -> WebAddress? {
        guard let text = try object.optionalString(key), !text.isEmpty else { return nil }
        do { return try WebAddress(rewritten(text)) } catch {
            throw JSONError("`\(key)` is not a web address: \(error.rawValue)")
        }
    }

    func pathComponent(_ key: String) throws(JSONError) -> String {
        let text = try object.string(key)
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard (1...128).contains(text.utf8.count), isPlain else {
            throw JSONError("`\(key)` is not 1 to 128 letters, digits, _ and -")
        }
        return text
    }
}
