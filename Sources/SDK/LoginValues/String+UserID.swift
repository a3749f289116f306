// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Whether two user ids name one person, by the backend's rule: case does not matter, and neither do different
    /// encodings of the same text in Unicode (composed and decomposed letters, the Kelvin sign and K).
    public func isSameUserID(as other: some StringProtocol) -> Bool {
        // Swift compares strings by Unicode's canonical equivalence.
        lowercased() == other.lowercased()
    }
}
