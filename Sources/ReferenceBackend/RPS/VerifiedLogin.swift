// SPDX-License-Identifier: Apache-2.0

/// A login whose PIN was right and whose device waits until the relying party has finished it.
struct VerifiedLogin: Codable, Sendable {
    let identity: RegisteredIdentity
    let oneTimePassword: String?
    /// The relying party asked once. It may not ask again.
    var isClaimed = false
    var logout = LogoutOffer()
    /// Set when the relying party has decided and the device still has to hear it.
    var result: LoginResult?
}

/// How the relying party finished a login.
struct LoginResult: Codable, Sendable {
    let status: Int
    let message: String
    let logout: LogoutOffer
}

/// What a device needs to log the browser out again; the relying party's words, passed on untouched.
struct LogoutOffer: Codable, Sendable {
    /// Any JSON: who issued it reads it.
    var data: JSONValue?
    var url: String?

    init(data: JSONValue? = nil, url: String? = nil) { (self.data, self.url) = (data, url) }

    init(_ data: LogoutData, url: String) { self.init(data: .object(data.json.members), url: url) }
}
