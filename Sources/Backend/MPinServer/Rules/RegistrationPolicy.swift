// SPDX-License-Identifier: Apache-2.0

import BackendValues

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
    package init(admitting arguments: [String]) {
        self = arguments.contains(Extent.anybody.rawValue) ? .everyone : .only(arguments)
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
