// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Purpose of a login.
enum AuthenticationTarget {
    /// This client itself.
    case relyingParty
    /// The browser that shows the code.
    case browserSession(AccessCode)
    /// A one-time password, to be typed elsewhere.
    case oneTimePassword
    /// A code by which the application's own server learns who logged in, in the session of the access code if there
    /// is one.
    case authorizationCode(AccessCode?)
    /// A registration code for another device.
    case registrationCode
    /// A signed statement for the application's own server.
    case jwt
    /// The right to register a key for signing.
    case dvsRegistration
    /// The check of the PIN before something is signed.
    case signing

    /// The session to log in.
    var accessCode: AccessCode? {
        switch self {
        case .browserSession(let code): code
        case .authorizationCode(let code): code
        case .relyingParty, .oneTimePassword, .registrationCode, .jwt, .dvsRegistration, .signing: nil
        }
    }

    /// The kind of the `authenticate` request, for the table of refusals.
    var finalCall: RequestKind {
        if case .registrationCode = self { .authenticateForCode } else { .authenticate }
    }
}
