// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues

/// The result of a decoder for one entry.
struct Verdict: Equatable {
    /// Whether the expected text, or every one of several, was read.
    var isRead = false
    /// Texts that are not in the picture, according to the manifest.
    var wrong = 0
    /// Unlabelled texts of a photograph in which an expected one was read.
    var unlisted = 0
    /// Whether the entry's rule is met.
    var isMet = false

    init(_ symbols: [Symbol], for entry: ManifestEntry) {
        var found = Set<String>()
        var others = 0
        var becameLogin = false
        for symbol in symbols {
            let payload = symbol.payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
            let texts = entry.texts.filter { Verdict.isLabelled(payload, $0, in: entry) }
            if texts.isEmpty { others += 1 }
            found.formUnion(texts)
            if (try? LoginRequest(symbol)) != nil { becameLogin = true }
        }
        let isWhole = entry.rule == .multiple ? found.count == Set(entry.texts).count : !found.isEmpty
        isRead = entry.rule.asksForText && isWhole
        if entry.isPhotograph && isRead { unlisted = others } else { wrong = others }
        isMet =
            switch entry.rule {
            case .text, .multiple: isRead && wrong == 0
            case .reject: wrong == 0 && !becameLogin
            case .none: symbols.isEmpty
            case .noneOrText: wrong == 0
            }
    }

    private static func isLabelled(_ payload: [UInt8], _ text: String, in entry: ManifestEntry) -> Bool {
        if let bytes = entry.bytes { return payload == bytes }
        if TextReading.matches(payload, text) { return true }
        return entry.isPhotograph && TextReading.trimmed(payload) == TextReading.trimmed(Array(text.utf8))
    }
}
