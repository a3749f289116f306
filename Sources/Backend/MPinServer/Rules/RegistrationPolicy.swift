// SPDX-License-Identifier: Apache-2.0

/// The people who may register at the web site.
package struct RegistrationPolicy: Hashable, Sendable {
    private let patterns: [String]?

    /// The extent of a policy. The raw values are those of `/status`.
    package enum Extent: String, Sendable { case anybody, listed, nobody }

    /// Everyone who can read the mail.
    package static let everyone = RegistrationPolicy(patterns: nil)

    /// Some users only.
    /// - Parameter patterns: user ids (`alice@example.com`) and domains (`@example.com`), in any spelling.
    package static func only(_ patterns: [String]) -> RegistrationPolicy {
        RegistrationPolicy(patterns: patterns.map { UserID.normalized($0) })
    }

    /// An operator's choice: `anybody`, or user ids and domains; without any, nobody.
    /// - Throws: ``Problem``.
    package init(admitting arguments: [String]) throws(Problem) {
        if arguments.contains(Extent.anybody.rawValue) {
            guard arguments.count == 1 else { throw .anybodyAndOthers }
            self = .everyone
            return
        }
        // A wildcard would be a user id that nobody has.
        if let pattern = arguments.first(where: { $0.contains("*") || $0.isEmpty }) { throw .noPattern(pattern) }
        self = .only(arguments)
    }

    /// The reason why arguments are no policy.
    package enum Problem: Error, Equatable {
        case anybodyAndOthers
        case noPattern(String)
    }

    package var extent: Extent {
        guard let patterns else { return .anybody }
        return patterns.isEmpty ? .nobody : .listed
    }

    private init(patterns: [String]?) { self.patterns = patterns }

    /// - Parameter userID: in the form of ``UserID``.
    package func admits(_ userID: String) -> Bool {
        guard let patterns else { return true }
        // By scalar, not by character: to a mail server an @ with an accent is an @.
        let domain = userID.unicodeScalars.lastIndex(of: "@").map { String(userID.unicodeScalars[$0...]) }
        return patterns.contains { $0 == userID || $0 == domain }
    }
}
