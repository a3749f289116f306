// SPDX-License-Identifier: Apache-2.0

/// The people who may register at the reference backend's web site.
public struct RegistrationPolicy: Hashable, Sendable {
    private let patterns: [String]?

    /// All who can read the mail.
    public static let everyone = RegistrationPolicy(patterns: nil)

    /// Only some users.
    /// - Parameter patterns: user ids (`alice@example.com`) and domains (`@example.com`), in any spelling of them.
    public static func only(_ patterns: [String]) -> RegistrationPolicy {
        RegistrationPolicy(patterns: patterns.map { UserID.normalized($0) })
    }

    private init(patterns: [String]?) { self.patterns = patterns }

    /// - Parameter userID: as ``UserID`` spells it.
    func admits(_ userID: String) -> Bool {
        guard let patterns else { return true }
        // Not a character of the text: an @ with an accent is an @ to a mail server.
        let domain = userID.unicodeScalars.lastIndex(of: "@").map { String(userID.unicodeScalars[$0...]) }
        return patterns.contains { $0 == userID || $0 == domain }
    }
}
