// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// MIRACL's platform from 2018 to 2022: client settings as before, logins with a scope, and separate identities for
/// signing.
struct MFAv2Dialect: ScopedDialect {
    static let name = DialectName.mfaV2
    static let success = 200...200

    let settings: MFAv2Settings
    let configuration: MPin.Configuration

    var backend: WebAddress { settings.backend }
    var pass1URL: WebAddress { settings.pass1URL }
    var pass2URL: WebAddress { settings.pass2URL }
    var authenticateURL: WebAddress { settings.authenticateURL }
    var keyURL: WebAddress? { settings.dvsRegURL }
    var codeStatusURL: WebAddress? { settings.codeStatusURL }

    func headers(for method: HTTPRequest.Method) -> [HTTPHeader] {
        RequestHeaders.make(for: method, configuration, sendsClientID: false)
    }

    func allows(_ target: AuthenticationTarget) -> Bool {
        switch target {
        case .relyingParty, .browserSession, .oneTimePassword, .authorizationCode, .registrationCode: true
        case .dvsRegistration, .signing: settings.dvsRegURL != nil
        case .jwt: false
        }
    }

    /// Empty, because this platform uses no time permits.
    var ownMembersOfPass1: [JSONBody.Member] { [("UT", .text(""))] }

    /// The text `0` stands for no session.
    func sessionMember(for target: AuthenticationTarget) -> JSONBody.Value? {
        target.accessCode.map { .accessCode($0) } ?? .text("0")
    }

    func ownMembersOfFinalCall(for target: AuthenticationTarget) -> [JSONBody.Member] {
        if case .authorizationCode = target { [Inferred.asksForAuthorizationCode] } else { [] }
    }

    /// Only identities for signing have keys, and PINs of their own. A secret for logging in must not be made with
    /// such a PIN.
    func renewal(by target: AuthenticationTarget) -> SecretRenewal.Kind {
        if case .signing = target { .key } else { .secret }
    }
}
