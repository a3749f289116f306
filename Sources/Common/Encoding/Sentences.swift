// SPDX-License-Identifier: Apache-2.0

/// The sentences of a program in one language: one for each key, and no others.
package struct Sentences<Key: CaseIterable & Hashable & RawRepresentable<String> & Sendable>: Sendable {
    /// A tag of BCP 47, for example `en`.
    package let language: String
    private let texts: [Key: String]

    /// - Parameter file: the content of a ``SentenceFile``, which is part of the program. A test reads it.
    package init(_ language: String, embedded file: [UInt8]) {
        do { try self.init(language, file) } catch { fatalError("\(language).yaml: \(error)") }
    }

    init(_ language: String, _ file: [UInt8]) throws(SentenceFileError) {
        var rest = try SentenceFile(file).sentences
        var texts: [Key: String] = [:]
        for key in Key.allCases { texts[key] = rest.removeValue(forKey: key.rawValue) }
        if let key = Key.allCases.first(where: { texts[$0] == nil }) {
            throw SentenceFileError(.missing(key.rawValue), line: 0)
        }
        if let name = rest.keys.min() { throw SentenceFileError(.unknown(name), line: 0) }
        (self.language, self.texts) = (language, texts)
    }

    package subscript(key: Key) -> String { texts[key] ?? "" }
}

extension String {
    /// The sentence with its gaps, such as `{user}`, filled.
    /// - Parameters:
    ///   - escaping: makes the text between the gaps safe where the sentence is shown.
    ///   - value: the text for a gap, already safe. It is inserted as it is, even if it looks like a gap.
    package func filled(escaping: (String) -> String = { $0 }, _ value: (String) -> String?) -> String {
        var rest = self[...]
        var text = ""
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += escaping(String(rest[..<open]))
            text += value(String(rest[rest.index(after: open)..<close])) ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return text + escaping(String(rest))
    }
}
