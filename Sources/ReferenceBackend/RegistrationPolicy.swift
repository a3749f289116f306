// SPDX-License-Identifier: Apache-2.0

/// Who may register at the reference backend's web site.
public struct RegistrationPolicy: Hashable, Sendable {
    private let patterns: [String]?

    /// Everybody who can read the mail.
    public static let everyone = RegistrationPolicy(patterns: nil)

    /// Only some users.
    /// - Parameter patterns: user ids (`alice@example.com`) and domains (`@example.com`); case does not matter.
    public static func only(_ patterns: [String]) -> RegistrationPolicy {
        RegistrationPolicy(patterns: patterns.map { $0.lowercased() })
    }

    private init(patterns: [String]?) { self.patterns = patterns }

    func admits(_ userID: String) -> Bool {
        guard let patterns else { return true }
        let userID = userID.lowercased()
        let domain = userID.lastIndex(of: "@").map { String(userID[$0...]) }
        return patterns.contains { $0 == userID || $0 == domain }
    }
}
