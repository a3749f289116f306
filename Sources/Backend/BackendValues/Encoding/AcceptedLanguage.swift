// SPDX-License-Identifier: Apache-2.0

/// The language that a browser asks for. RFC 9110, section 12.5.4.
package enum AcceptedLanguage {
    /// The number of entries that are read.
    private static let mostWishes = 32

    /// - Parameters:
    ///   - header: `Accept-Language`.
    ///   - languages: the available ones. The first stands for `*`.
    /// - Returns: nil when the browser asks for none of them.
    package static func chosen(by header: String?, from languages: [String]) -> String? {
        var best: (language: String, quality: Double)?
        for wish in (header ?? "").split(separator: ",", maxSplits: mostWishes).prefix(mostWishes) {
            let parts = wish.split(separator: ";", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let range = parts.first else { continue }
            let tag = range.prefix { $0 != "-" }.lowercased()
            guard let language = tag == "*" ? languages.first : languages.first(where: { $0 == tag }) else {
                continue
            }
            var quality = 1.0
            if parts.count > 1 {
                guard parts[1].lowercased().hasPrefix("q="), let value = Double(parts[1].dropFirst(2)),
                    (0...1).contains(value)
                else { continue }
                quality = value
            }
            if quality > best?.quality ?? 0 { best = (language, quality) }
        }
        return best?.language
    }
}
