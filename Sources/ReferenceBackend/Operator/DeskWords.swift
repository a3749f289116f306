// SPDX-License-Identifier: Apache-2.0

/// What the operator's pages say. The raw values are the names in the files `Page/*.json`.
enum DeskWord: String, CaseIterable, Sendable {
    // How numbers and times are written.
    case thousands, dateFormat, hourFormat
    // The password.
    case operatorTitle, password, logIn, logOut, passwordHelp, wrongPassword, tooManyPasswords
    // The list.
    case title, search, beginning, containing, match, find, everyState, states, user, identity, state, wrongPINs
    case lastLogin, since, until, actions, registered, blocked, revokedState, unconfirmed, confirmed, renewing, never
    case noMatch, noMatchHelp, empty, emptyHelp, showAll, pages, first, previous, next, utc
    // What is done.
    case revoke, unblock, renew, activate, revoked, unblocked, renewed, activated
    case revokeTitle, revokeDevice, revokeOthers, revokeAgain, revokeFinal, isRevoked, cancel, back
    // The last day.
    case day, logins, failures, wrongPIN, refused, sumOfLogins, sumOfFailures, noLogins, noFailures, axis, figures, time
    // What goes wrong.
    case loginNeeded, foreignAddress, foreignForm, noSuchIdentity, badRequest, noStorage, wentWrong
}

/// The words of one language.
struct DeskWords: Sendable {
    /// BCP 47, for example `en`.
    let language: String
    private let sentences: [DeskWord: String]

    /// - Parameter file: a JSON object with a text for every word; gaps are written `{user}`.
    init?(language: String, file: [UInt8]) {
        guard let object = JSONObject(body: file) else { return nil }
        self.language = language
        sentences = Dictionary(
            uniqueKeysWithValues: DeskWord.allCases.compactMap { word in
                object.string(word.rawValue).map { (word, $0) }
            })
        guard sentences.count == DeskWord.allCases.count, object.members.count == sentences.count else { return nil }
    }

    /// As it stands in the file.
    func template(_ word: DeskWord) -> String { sentences[word] ?? word.rawValue }

    /// Safe for element content and quoted attribute values.
    /// - Parameter gaps: what is put in, and is safe already. It is put in as it is, also when it looks like a gap.
    func callAsFunction(_ word: DeskWord, _ gaps: [String: String] = [:]) -> String {
        var rest = Substring(template(word))
        var text = ""
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += HTMLText.escaped(String(rest[..<open]))
            text += gaps[String(rest[rest.index(after: open)..<close])] ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return text + HTMLText.escaped(String(rest))
    }

    func number(_ value: some BinaryInteger) -> String {
        var (text, digits) = ("", Array(String(value)))
        while digits.count > 3 {
            text = template(.thousands) + String(digits.suffix(3)) + text
            digits.removeLast(3)
        }
        return String(digits) + text
    }

    /// - Parameter zoned: `YYYY-MM-DDTHH:MM:SSZ`.
    func time(_ zoned: String) -> String {
        let parts = zoned.split { "-T:Z".contains($0) }.map(String.init)
        guard parts.count >= 5 else { return HTMLText.escaped(zoned) }
        return self(
            .dateFormat, ["year": parts[0], "month": parts[1], "day": parts[2], "time": parts[3] + ":" + parts[4]])
    }
}

extension DeskWords {
    static let english = embedded("en", PackageResources.en_json)

    /// English first.
    static let all = [
        english, embedded("de", PackageResources.de_json), embedded("fr", PackageResources.fr_json),
        embedded("es", PackageResources.es_json), embedded("bg", PackageResources.bg_json),
    ]

    private static func embedded(_ language: String, _ bytes: [UInt8]) -> DeskWords {
        // The file is part of the program, and a test reads it.
        guard let words = DeskWords(language: language, file: bytes) else { fatalError("Page/\(language).json") }
        return words
    }

    /// More wishes than that are not read.
    private static let mostWishes = 32

    /// The language that a browser wishes most of those that there are; English when it wishes none of them.
    /// - Parameter header: its `Accept-Language`. RFC 9110, section 12.5.4.
    static func chosen(by header: String?) -> DeskWords {
        var best: (words: DeskWords, quality: Double)?
        for wish in (header ?? "").split(separator: ",", maxSplits: mostWishes).prefix(mostWishes) {
            let parts = wish.split(separator: ";", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let range = parts.first else { continue }
            let tag = range.prefix { $0 != "-" }.lowercased()
            guard let words = tag == "*" ? english : all.first(where: { $0.language == tag }) else { continue }
            var quality = 1.0
            if parts.count > 1 {
                guard parts[1].lowercased().hasPrefix("q="), let value = Double(parts[1].dropFirst(2)),
                    (0...1).contains(value)
                else { continue }
                quality = value
            }
            if quality > best?.quality ?? 0 { best = (words, quality) }
        }
        return best?.words ?? english
    }
}
