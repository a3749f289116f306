// SPDX-License-Identifier: Apache-2.0

/// A browser that waits for a device. docs/protocol/miracl.md, section 6.
package struct PlatformSession: Codable, Sendable {
    package static let lifetime = Duration.seconds(300)

    /// The device's report. The raw values are those on the wire.
    package enum Progress: String, Codable { case new, scanned = "wid", user, abort }

    /// The user that the relying party expects; empty for any user.
    var userID = ""
    /// Whether a relying party that proved itself named the user; nil for no.
    var isNamedByRelyingParty: Bool?
    /// Whether a device may believe that ``userID`` is the person in front of the page.
    var isUserVerified: Bool { !userID.isEmpty && isNamedByRelyingParty == true }
    var description = ""
    /// The name of the application that the page is for; nil for the place's own web site.
    var application: String?
    /// The hash to sign, in hexadecimal; empty for a login.
    var hash = ""
    package var progress = Progress.new
    /// The user, as the device wrote it.
    var namedUser = ""
    /// The status for the browser.
    var status: String {
        if signature != nil { return "signed" }
        return authenticatedUser == nil ? progress.rawValue : "authenticate"
    }

    /// Whether a device may log it in. A session for a signature is never open for a login.
    var isOpenForLogin: Bool { hash.isEmpty && (authenticatedUser == nil || isRepeatable) }

    /// Whether it waits for this user: a page that was opened for one person admits no other.
    func isFor(_ userID: String) -> Bool {
        self.userID.isEmpty || self.userID == userID
    }

    /// The user who logged in or signed.
    var authenticatedUser: String?
    /// Whether the device may log in once more, with the new key that it got.
    var isRepeatable = false
    /// Base64 of the signature's JSON.
    var signature: String?
}
