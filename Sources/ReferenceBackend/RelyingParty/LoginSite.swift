// SPDX-License-Identifier: Apache-2.0

/// What the pages of a web site to log in to ask of its relying party, whichever dialect its devices speak.
protocol LoginSite: Actor {
    var clock: any WallClock { get }
    /// Under what browsers keep their codes.
    var seal: VisitSeal { get }
    /// Whether a person may type a code on a kiosk instead of showing it the picture.
    var takesTypedCodes: Bool { get }

    /// Opens a session for a browser that is not logged in.
    func visit(_ cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie, user: String?)
    /// How far the login is, for the page's script.
    func state(of cookie: BrowserCookie?) async throws -> (cookie: BrowserCookie?, state: JSONObject)
    /// Nil when nobody is logged in.
    func user(of cookie: BrowserCookie?) -> String?
    /// Logs a browser in whose user was found out elsewhere.
    /// - Returns: its new cookie.
    func admit(_ user: String, replacing cookie: BrowserCookie?) throws -> BrowserCookie
    /// The browser logs itself out.
    func logOut(_ cookie: BrowserCookie?)
}

extension LoginSite {
    /// The code on a browser's page; nil when it has none, or none any more.
    func attempt(of cookie: BrowserCookie?) -> LoginAttempt? { LoginAttempt(cookie, seal, now: clock.now) }

    /// What stands below the picture for kiosks without eyes; nil where kiosks take only the picture.
    func typedCode(for cookie: BrowserCookie?) -> String? { takesTypedCodes ? attempt(of: cookie)?.typedCode : nil }
}

extension RelyingParty: LoginSite {
    var takesTypedCodes: Bool { mount.takesTypedCodes }
}

extension PlatformRelyingParty: LoginSite {
    var takesTypedCodes: Bool { mount.takesTypedCodes }
}
