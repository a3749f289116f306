// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// An application server's sentence about a refusal, made safe for a log and a screen: one line of visible characters,
/// cut, and without the secret that was sent.
enum ServerSentence {
    static let maximumLength = 160

    /// - Parameter secret: a sentence that repeats it is dropped.
    /// - Returns: nil when the body is not text, or has nothing to show.
    static func read(_ body: SecretBytes, hiding secret: SecretBytes) -> String? {
        guard !repeats(body, secret) else { return nil }
        // Characters behind the cap are ignored. A character has four bytes at most, and escapes are rare.
        let start = body.withBytes { bytes in
            bytes.indices.prefix(maximumLength * 8).map { bytes[$0] }
        }
        var sentence = ""
        var count = 0
        var spaceIsDue = false
        for scalar in String(decoding: start, as: UTF8.self).unicodeScalars {
            if scalar.properties.isWhitespace {
                spaceIsDue = count > 0
                continue
            }
            guard isVisible(scalar) else { continue }
            if spaceIsDue { sentence.append(" ") }
            spaceIsDue = false
            sentence.unicodeScalars.append(scalar)
            count += 1
            if count == maximumLength { break }
        }
        // Checked again after cleaning: invisible characters may have split the secret.
        guard !sentence.isEmpty, !repeats(SecretBytes(copying: sentence.utf8), secret) else { return nil }
        return sentence
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: scalar != "\u{FFFD}"
        }
    }

    static func repeats(_ body: SecretBytes, _ secret: SecretBytes) -> Bool {
        guard secret.count > 0, body.count >= secret.count else { return false }
        return body.withBytes { body in
            secret.withBytes { secret in
                (0...(body.count - secret.count)).contains { start in
                    secret.indices.allSatisfy { body[start + $0] == secret[$0] }
                }
            }
        }
    }
}
