// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// What the final call gives when the server accepted the login.
struct LoginReply {
    /// The reply as received, a JSON object or empty.
    let content: SecretBytes
    /// How to end the browser session again; nil when the reply did not say, and for every other target.
    var logout: LogoutTicket?
    /// Nil when the server issued none, and for every other target.
    var oneTimePassword: OneTimePassword?
    /// Nil when the server gave none, and for every other target.
    var authorizationCode: SecretBytes?
}
