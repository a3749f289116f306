// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// What a login is for.
enum AuthenticationTarget {
    /// This client itself.
    case relyingParty
    /// The browser that shows the code.
    case browserSession(AccessCode)
    /// A one-time password, to be typed in somewhere else.
    case oneTimePassword
    /// A code with which the application's own server learns who logged in.
    case authorizationCode
}
