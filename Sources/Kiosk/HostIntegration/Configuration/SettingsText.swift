// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Settings that are not in a file yet, to be shown to the person who has to agree.
public struct SettingsText: Sendable {
    /// Names and values, in the order of the text.
    public let entries: [(name: String, value: String)]

    /// - Returns: nil when it would be refused as a file.
    public init?(_ text: String) {
        let file = ConfigurationFile(path: "profile", content: Data(text.utf8))
        guard file.problems.isEmpty else { return nil }
        entries = file.entries.map { ($0.name, $0.value) }
    }
}
