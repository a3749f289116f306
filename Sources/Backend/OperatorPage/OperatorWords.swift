// SPDX-License-Identifier: Apache-2.0

import MPinServer

/// The texts of the operator's pages. The raw values are keys in the files `Page/*.json`.
enum OperatorWord: String, CaseIterable, Sendable {
    // Formats of numbers and times.
    case thousands, dateFormat, hourFormat
    // The login.
    case operatorTitle, password, logIn, logOut, passwordHelp, wrongPassword, tooManyPasswords
    // The list.
    case title, search, beginning, containing, match, find, everyState, states, user, identity, state, wrongPINs
    case lastLogin, since, until, actions, registered, blocked, revokedState, unconfirmed, confirmed, renewing, never,
        mixedScripts, byCode, personalCard, temporaryCard
    case nobodyRegisters, noMatch, noMatchHelp, empty, emptyHelp, showAll, pages, first, previous, next, utc
    // Actions.
    case revoke, unblock, renew, activate, revoked, unblocked, renewed, activated
    case revokeTitle, revokeDevice, revokeOthers, revokeAgain, revokeFinal, isRevoked, cancel, back
    // The last day.
    case day, logins, failures, wrongPIN, refused, sumOfLogins, sumOfFailures, noLogins, noFailures, axis, figures, time
    // Errors.
    case loginNeeded, foreignAddress, foreignForm, noSuchIdentity, badRequest, noStorage, wentWrong
}

/// The texts in one language.
struct OperatorWords: Sendable {
    /// A tag of BCP 47, for example `en`.
    let language: String
    private let sentences: [OperatorWord: String]

    /// - Parameter file: a JSON object with a text for every word; gaps are written `{user}`.
    init?(language: String, file: [UInt8]) {
        guard let object = JSONObject(body: file) else { return nil }
        self.language = language
        sentences = Dictionary(
            uniqueKeysWithValues: OperatorWord.allCases.compactMap { word in
                object.string(word.rawValue).map { (word, $0) }
            })
        guard sentences.count == OperatorWord.allCases.count, object.members.count == sentences.count else {
            return nil
        }
    }

    /// The text as in the file.
    func template(_ word: OperatorWord) -> String { sentences[word] ?? word.rawValue }

    /// The text, safe for element content and quoted attribute values.
    /// - Parameter gaps: the texts for the gaps, already safe. They are inserted as they are, even if they look like
    ///   a gap.
    func callAsFunction(_ word: OperatorWord, _ gaps: [String: String] = [:]) -> String {
        template(word).filled(escaping: HTMLText.escaped) { gaps[$0] }
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

extension OperatorWords {
    package static let english = embedded("en", PackageResources.en_json)

    /// All languages, English first.
    static let all = [
        english, embedded("de", PackageResources.de_json), embedded("fr", PackageResources.fr_json),
        embedded("es", PackageResources.es_json), embedded("bg", PackageResources.bg_json),
    ]

    private static func embedded(_ language: String, _ bytes: [UInt8]) -> OperatorWords {
        // The file is part of the program, and a test reads it.
        guard let words = OperatorWords(language: language, file: bytes) else { fatalError("Page/\(language).json") }
        return words
    }

    /// The available language that a browser prefers; English if it asks for none of them.
    /// - Parameter header: its `Accept-Language`. RFC 9110, section 12.5.4.
    static func chosen(by header: String?) -> OperatorWords {
        let language = AcceptedLanguage.chosen(by: header, from: all.map(\.language))
        return all.first { $0.language == language } ?? english
    }
}
