// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A login whose PIN was right and whose device waits until the relying party has finished it.
struct VerifiedLogin: Codable, Sendable {
    /// The device's. The page has another one.
    let authOTT: OneTimeToken
    let mpinID: MPinID
    let userID: String
    let oneTimePassword: String?
    /// How long the device waits.
    let deadline: WallTime
    /// The relying party asked once. It may not ask again.
    var isClaimed = false
    var logout = LogoutOffer()
    /// Set when the relying party has decided. The device hears it.
    var result: LoginResult?
}

extension VerifiedLogin {
    /// The relying party asks who it is; it may ask once.
    mutating func claim(_ logout: LogoutOffer) -> VerdictReply? {
        guard !isClaimed else { return nil }
        isClaimed = true
        self.logout = logout
        return verdict
    }

    var verdict: VerdictReply {
        VerdictReply(userID: userID, mpinID: mpinID, oneTimePassword: oneTimePassword, deviceWaits: true)
    }

    /// - Returns: whether it is decided by this.
    mutating func decide(_ decision: LoginDecision) -> Bool {
        guard isClaimed, result == nil else { return false }
        let logout = LogoutOffer(
            data: decision.logout.data ?? logout.data, url: decision.logout.url ?? logout.url ?? "/logout")
        result = LoginResult(status: decision.status, message: decision.message, logout: logout)
        return true
    }
}

/// How the relying party finished a login.
struct LoginResult: Codable, Sendable {
    static let timedOut = LoginResult(status: 408, message: "Authentication timed out", logout: LogoutOffer())

    let status: Int
    let message: String
    let logout: LogoutOffer
}

/// The words that a device needs to log the browser out again. They are the relying party's, passed on untouched.
package struct LogoutOffer: Codable, Sendable {
    /// Any JSON: who issued it reads it.
    var data: JSONValue?
    var url: String?

    package init(data: JSONValue? = nil, url: String? = nil) { (self.data, self.url) = (data, url) }

    package init(_ data: LogoutData, url: String) { self.init(data: .object(data.json.members), url: url) }
}
