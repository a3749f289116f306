// SPDX-License-Identifier: Apache-2.0

/// A one-time value that counts for one user only.
struct UserCode: Hashable, Sendable {
    static let shortDigits = 6

    let userID: String
    let code: String

    /// Few enough digits to be guessed.
    var isShort: Bool { code.utf8.count <= Self.shortDigits }

    /// The query of the link that carries it. MIRACL protocol, section 3.
    var query: String { FormFields.text([("user_id", userID), ("code", code)]) }

    /// The link, which a browser opens and a device scans.
    func link(below projectURL: String) -> String { projectURL + "/verification/confirmation?" + query }
}
