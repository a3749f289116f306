// SPDX-License-Identifier: Apache-2.0

/// A browser that waits for a device. MIRACL protocol, section 6.
struct PlatformSession: Codable, Sendable {
    static let lifetime = Duration.seconds(300)

    /// What a device reported; the raw values are those of the wire.
    enum Progress: String, Codable { case new, scanned = "wid", user, abort }

    /// Whom the relying party expects; empty for any user.
    var userID = ""
    var description = ""
    /// What is to be signed, in hexadecimal; empty for a login.
    var hash = ""
    var progress = Progress.new
    /// The user that the device named, as it named it.
    var namedUser = ""
    /// What the browser hears.
    var status: String {
        if signature != nil { return "signed" }
        return authenticatedUser == nil ? progress.rawValue : "authenticate"
    }

    /// Whether a device may log it in; one that waits for a signature is none.
    var isOpenForLogin: Bool { hash.isEmpty && (authenticatedUser == nil || isRepeatable) }

    /// Who logged in or signed.
    var authenticatedUser: String?
    /// The device logs in once more with the new key that it was offered.
    var isRepeatable = false
    /// Base64 of the signature's JSON.
    var signature: String?
}
