// SPDX-License-Identifier: Apache-2.0

/// A browser that waits for a device. MIRACL protocol, section 6.
struct PlatformSession: Codable, Sendable {
    static let lifetime = Duration.seconds(300)

    /// The device's report; the raw values are those of the wire.
    enum Progress: String, Codable { case new, scanned = "wid", user, abort }

    /// Whom the relying party expects; empty for any user.
    var userID = ""
    var description = ""
    /// Names the application that the page logs people in to; nil for the place's own web site.
    var application: String?
    /// The hash that is to be signed, in hexadecimal; empty for a login.
    var hash = ""
    var progress = Progress.new
    /// The user that the device named, as it named it.
    var namedUser = ""
    /// The status that the browser hears.
    var status: String {
        if signature != nil { return "signed" }
        return authenticatedUser == nil ? progress.rawValue : "authenticate"
    }

    /// Whether a device may log it in; one that waits for a signature is none.
    var isOpenForLogin: Bool { hash.isEmpty && (authenticatedUser == nil || isRepeatable) }

    /// Whether it waits for this user: a page that was opened for one person lets no other one in.
    func isFor(_ userID: String) -> Bool {
        self.userID.isEmpty || self.userID == userID
    }

    /// The user who logged in or signed.
    var authenticatedUser: String?
    /// The device logs in once more with the new key that it was offered.
    var isRepeatable = false
    /// Base64 of the signature's JSON.
    var signature: String?
}
