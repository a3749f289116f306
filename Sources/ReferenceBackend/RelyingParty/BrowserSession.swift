// SPDX-License-Identifier: Apache-2.0

/// A browser that a person is logged in at.
struct BrowserSession: Sendable {
    /// How long it stays logged in.
    static let lifetime = Duration.seconds(3600)

    let userID: String
    /// With this the device may log the browser out. It is not the cookie: a device cannot act as the browser.
    let logoutToken: OneTimeToken
}
