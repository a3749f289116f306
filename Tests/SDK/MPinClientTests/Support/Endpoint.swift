// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import MPinClient

/// Every request of the client, by purpose.
enum Endpoint: String, CaseIterable {
    // The classic dialects.
    case service, settings, test, sessionDetails, announce, abort, register, restart, secretShare1, secretShare2
    case permitShare1, permitStorage, permitShare2, pass1, pass2, relyingParty, browserSession
    case oneTimePassword, authorizationCode, logout
    // The dialects since 2018.
    case laterSettings, project, laterSession, laterAbort, startVerification, finishVerification
    case laterRegister, signature, share, registration, secretURL, laterPass1, laterPass2, authenticate
    case authenticateForCode, registrationCode, statement, keyRegistration, signingSession, dvsSession, handIn
    case authorizationURL

    static let classic = allCases.filter { $0.dialect == .milagro }
    static let later = allCases.filter { $0.dialect != .milagro }

    var dialect: DialectName {
        switch self {
        case .service, .settings, .test, .sessionDetails, .announce, .abort, .register, .restart, .secretShare1,
            .secretShare2, .permitShare1, .permitStorage, .permitShare2, .pass1, .pass2, .relyingParty,
            .browserSession, .oneTimePassword, .authorizationCode, .logout:
            .milagro
        case .laterSettings, .laterRegister, .signature, .share, .keyRegistration, .authorizationURL: .mfaV2
        case .dvsSession: .trust2023
        default: .trust2025
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .register, .restart, .laterRegister: .put
        case .service, .settings, .test, .secretShare1, .secretShare2, .permitShare1, .permitStorage, .permitShare2,
            .laterSettings, .project, .signature, .share, .secretURL:
            .get
        default: .post
        }
    }

    /// A path, or a path prefix with `*`.
    var path: String {
        switch self {
        case .service: "/service"
        case .settings, .test: "/rps/clientSettings"
        case .sessionDetails, .announce, .abort: "/rps/codeStatus"
        case .register, .restart: "/rps/user*"
        case .secretShare1: "/rps/signature/*"
        case .secretShare2: "/dta/clientSecret"
        case .permitShare1: "/rps/timePermit/*"
        case .permitStorage: "/storage/*"
        case .permitShare2: "/dta/timePermit"
        case .pass1: "/rps/pass1"
        case .pass2: "/rps/pass2"
        case .relyingParty, .oneTimePassword, .authorizationCode: "/mpinAuthenticate"
        case .browserSession: "/rps/authenticate"
        case .logout: "/logout"
        case .laterSettings: "/rps/v2/clientSettings"
        case .project: "/.well-known/project-configuration"
        case .laterSession, .laterAbort, .signingSession, .handIn: "/rps/v2/codeStatus"
        case .startVerification: "/verification/email"
        case .finishVerification: "/verification/confirmation"
        case .laterRegister: "/rps/v2/user*"
        case .signature: "/rps/v2/signature/*"
        case .share: "/dta/2/0"
        case .registration: "/registration"
        case .secretURL: "/dta/1/0"
        case .laterPass1: "/rps/v2/pass1"
        case .laterPass2: "/rps/v2/pass2"
        case .authenticate, .authenticateForCode, .statement: "/rps/v2/authenticate"
        case .registrationCode: "/verification/quickcode"
        case .keyRegistration: "/rps/v2/dvsregister"
        case .dvsSession: "/dvs/session/details"
        case .authorizationURL: "/authorize"
        }
    }

    /// Whether the protocol ignores the reply.
    var isSwallowed: Bool { self == .announce || self == .permitStorage }

    /// Whether any body is accepted.
    var ignoresBody: Bool { isSwallowed || self == .logout || self == .handIn }

    /// Whether the reply is the verdict on a login.
    var isFinal: Bool {
        [
            .relyingParty, .browserSession, .oneTimePassword, .authorizationCode, .authenticate, .authenticateForCode,
            .statement,
        ].contains(self)
    }

    /// Whether a lost reply leaves open what the server did.
    var leavesOpen: Bool { [.pass2, .laterPass2, .handIn].contains(self) || isFinal }

    /// Whether the call logs a person in.
    var isOfLogin: Bool { [.pass1, .pass2, .laterPass1, .laterPass2].contains(self) || isFinal }

    /// Whether the call needs an existing identity.
    var needsUser: Bool {
        switch self {
        case .service, .settings, .test, .sessionDetails, .abort, .register, .laterSettings, .project, .laterSession,
            .laterAbort, .startVerification, .finishVerification, .laterRegister, .signature, .share, .registration,
            .secretURL, .authorizationURL:
            false
        default: true
        }
    }
}
