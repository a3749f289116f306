// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The English sentences that the kiosk's screens, the pages and mails of the backend, and the operator's page show.
struct ShownSentences {
    /// Each split at its gaps.
    private var sentences: [[String]]

    init() throws {
        let files = ["Sources/Kiosk/Signage/Words/en.yaml", "Sources/Backend/BackendValues/Words/en.yaml"]
        let yaml = try files.map { try SourceTree.text($0) }.joined()
        sentences = yaml.matches(of: /(?m)^\w+: "(.*)"$/).map { Self.parts($0.output.1) }
    }

    var count: Int { sentences.count }

    /// Whether a quotation is part of a sentence, or a sentence with its gaps filled. In a quotation `...` stands for
    /// what was left out.
    func contains(_ quotation: String) -> Bool {
        let quoted = quotation.components(separatedBy: "...")
        return sentences.contains { parts in
            Self.follow(quoted, in: parts.joined(separator: "\u{0}"))
                || (parts.count > 1 && parts.joined().contains(" ") && Self.fills(quotation, parts))
        }
    }

    /// Whether the pieces stand in the text, one after the other.
    static func follow(_ pieces: [String], in text: String) -> Bool {
        var rest = text[...]
        for piece in pieces where !piece.isEmpty {
            guard let range = rest.range(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    private static func fills(_ quotation: String, _ parts: [String]) -> Bool {
        quotation.hasPrefix(parts[0]) && quotation.hasSuffix(parts[parts.count - 1]) && follow(parts, in: quotation)
    }

    private static func parts(_ text: Substring) -> [String] {
        text.split(separator: /\{\w+\}/, omittingEmptySubsequences: false).map(String.init)
    }
}
