// SPDX-License-Identifier: Apache-2.0

/// What the relying party knows about one browser.
struct BrowserSession: Sendable {
    /// How long a browser is remembered after it opened the login page or was logged in.
    static let lifetime = Duration.seconds(3600)

    /// The login code on its page.
    struct Attempt: Sendable {
        let webOTT: String
        let qrText: String
        let expires: WallTime
        /// The number beside the code, for kiosks whose camera cannot read: to the RPS it is a session of its own.
        let number: AccessNumberOffer?
    }

    struct AccessNumberOffer: Sendable {
        let webOTT: String
        let digits: String
    }

    struct Login: Sendable {
        let userID: String
        /// With this the device may log the browser out. It is not the cookie: a device cannot act as the browser.
        let logoutToken: OneTimeToken
    }

    var attempt: Attempt?
    var login: Login?
}
