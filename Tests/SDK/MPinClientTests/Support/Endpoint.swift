// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import MPinClient

/// Every request of the client, by purpose.
enum Endpoint: String, CaseIterable {
    case service, settings, test, sessionDetails, announce, abort, register, restart, secretShare1, secretShare2
    case permitShare1, permitStorage, permitShare2, pass1, pass2, relyingParty, browserSession
    case oneTimePassword, authorizationCode, logout

    var method: HTTPRequest.Method {
        switch self {
        case .register, .restart: .put
        case .sessionDetails, .announce, .abort, .pass1, .pass2, .relyingParty, .browserSession, .oneTimePassword,
            .authorizationCode, .logout:
            .post
        default: .get
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
        }
    }

    /// Whether the protocol ignores the reply.
    var isSwallowed: Bool { self == .announce || self == .permitStorage }

    /// Whether any body is accepted.
    var ignoresBody: Bool { isSwallowed || self == .logout }

    /// Whether the reply is the verdict on a login.
    var isFinal: Bool { [.relyingParty, .browserSession, .oneTimePassword, .authorizationCode].contains(self) }

    var comesAfterPass2: Bool { self == .pass2 || isFinal }

    /// Whether the call needs an existing identity.
    var needsUser: Bool {
        switch self {
        case .service, .settings, .test, .sessionDetails, .abort, .register: false
        default: true
        }
    }
}
