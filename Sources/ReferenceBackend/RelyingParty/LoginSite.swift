// SPDX-License-Identifier: Apache-2.0

/// What the pages of a web site to log in to ask of its relying party, whichever dialect its devices speak.
protocol LoginSite: Actor {
    /// Opens a session for a browser that is not logged in.
    func visit(_ cookie: OneTimeToken?) async throws -> (cookie: OneTimeToken, user: String?)
    /// The picture of the session's code, PNG; nil without a session.
    func qrPicture(for cookie: OneTimeToken?) throws -> [UInt8]?
    /// What a person may type on a kiosk instead of showing it the picture; nil where kiosks take only the picture.
    func typedCode(for cookie: OneTimeToken?) -> String?
    /// How far the login is, for the page's script.
    func state(of cookie: OneTimeToken?) async throws -> (cookie: OneTimeToken?, state: JSONObject)
    /// Nil when nobody is logged in.
    func user(of cookie: OneTimeToken?) -> String?
    /// Logs a browser in whose user was found out elsewhere.
    /// - Returns: its new cookie.
    func admit(_ user: String, replacing cookie: OneTimeToken?) throws -> OneTimeToken
    /// The browser logs itself out.
    func logOut(_ cookie: OneTimeToken?)
}

extension RelyingParty: LoginSite {}
extension PlatformRelyingParty: LoginSite {}
