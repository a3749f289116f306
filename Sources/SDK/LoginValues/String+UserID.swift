// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Whether two user ids are one person's, as the backend has it: case says nothing, and neither does what Unicode
    /// calls the same text (a letter composed and decomposed, the Kelvin sign and K).
    public func isSameUserID(as other: some StringProtocol) -> Bool {
        // The equality of strings is that of Unicode.
        lowercased() == other.lowercased()
    }
}
