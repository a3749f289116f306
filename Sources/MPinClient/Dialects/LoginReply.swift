// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// What the final call gives when the server accepted the login.
struct LoginReply {
    /// The reply as received, a JSON object or empty.
    let content: SecretBytes
    /// How to end the browser session again; nil when the reply did not say, and for every other target.
    var logout: LogoutTicket?
    /// A one-time password or a registration code; nil when the server issued none, and for every other target.
    var oneTimePassword: OneTimePassword?
    /// Nil when the server gave none, and for every other target.
    var authorizationCode: SecretBytes?
    /// Nil when the server gave none.
    var jwt: SecretBytes?
    /// Lets a key for signing be registered; nil for every other target.
    var dvsToken: SecretBytes?
    /// Nil when the identity's secret is good.
    var renewal: SecretRenewal?

    init(content: SecretBytes) { self.content = content }
}
