// SPDX-License-Identifier: Apache-2.0

/// Purpose of a request, and its name in the table of refusals and the log.
enum RequestKind: String, Sendable, CaseIterable {
    case serviceDetails = "service details"
    case clientSettings = "client settings"
    case projectConfiguration = "project configuration"
    case authorizationURL = "authorization URL"
    case codeStatus = "code status"
    case signingSession = "signing session"
    case startVerification = "verification"
    case finishVerification = "verification code"
    case register = "registration"
    case clientSecretShare1 = "client secret share 1"
    case clientSecretShare2 = "client secret share 2"
    case keyRegistration = "key registration"
    case timePermitShare1 = "time permit share 1"
    case timePermitStorage = "time permit storage"
    case timePermitShare2 = "time permit share 2"
    case pass1 = "pass 1"
    case pass2 = "pass 2"
    case authenticate = "authenticate"
    /// The `authenticate` request of a login for a registration code.
    case authenticateForCode = "authenticate for a registration code"
    case registrationCode = "registration code"
    case logout = "logout"
    // Requests of an application to its own server.
    case applicationAuthorization = "the application's authorization URL"
    case applicationLogin = "the application's login"
    case documentHash = "document hash"
    case signatureCheck = "signature check"

    /// Whether the request asks for the verdict of a login.
    var isFinalCall: Bool { self == .authenticate || self == .authenticateForCode }
}
