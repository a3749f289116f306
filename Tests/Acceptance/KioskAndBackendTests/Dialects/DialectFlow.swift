// SPDX-License-Identifier: Apache-2.0

import BackendTestKit

@testable import MPinServer
@testable import ReferenceBackend

/// A flow of the SDK's client and its dialects: the table of docs/matrix.md as data.
enum DialectFlow: String, CaseIterable, Sendable {
    case registrationByMail = "registration by mail"
    case registrationByCode = "registration by token or code"
    case verification = "verification of the address"
    case expiredRegistration = "not confirmed, confirmed too late"
    case browserLogin = "login in a browser"
    case wrongPIN = "wrong PIN, then the right one"
    case blocking = "three wrong PINs"
    case pinChange = "change of the PIN"
    case expiredSession = "session unknown, used, expired"
    case accessNumber = "access number"
    case oneTimePassword = "one-time password"
    case otherDevice = "registration code"
    case authorizationCode = "authorization code"
    case statement = "statement (JWT)"
    case signingRegistration = "registration of a signing identity"
    case signing = "signature"
    case signingSession = "signing session by QR code"
    case renewal = "renewal of the secret"
    case failedRenewal = "renewal that fails at any request"
    case cutOffRegistration = "registration cut off at any request"
    case revokedAtAnyStep = "revoked before any request"
    case blockedAtAnyStep = "blocked before any request"
    case renewedAtAnyStep = "renewed before any request"
    case expiredAtAnyStep = "expired before any request"
    case timePermit = "time permit"
    case logout = "logout of the browser"
    case deletion = "deletion, and registration again"

    static let dialects: [Dialect] = [.milagro, .mfaV1, .mfaV2, .trust2023, .trust2025]

    func isThere(in dialect: Dialect) -> Bool { row.dialects.contains(dialect) }

    /// The test of the row, for the dialects with the flow and for the others.
    var test: String { row.test }

    private var row: (dialects: [Dialect], test: String) {
        let withoutTrust = Self.dialects.filter { !$0.isTrust }
        let sinceMFAv2 = [Dialect.mfaV2, .trust2023, .trust2025]
        let trust = Self.dialects.filter(\.isTrust)
        return switch self {
        case .registrationByMail: (withoutTrust, "RegistrationFlowTests.registersByMail")
        case .registrationByCode: (sinceMFAv2, "RegistrationFlowTests.registersByCode")
        case .verification: (sinceMFAv2, "RegistrationFlowTests.verifies")
        case .expiredRegistration: (Self.dialects, "RegistrationFlowTests.waitsForConfirmation")
        case .browserLogin: (Self.dialects, "LoginFlowTests.logsABrowserIn")
        case .wrongPIN: (Self.dialects, "LoginFlowTests.triesAgain")
        case .blocking: (Self.dialects, "LoginFlowTests.isBlocked")
        case .pinChange: (Self.dialects, "ChangePINFlowTests.changesThePIN")
        case .expiredSession: (Self.dialects, "LoginFlowTests.learnsThatASessionIsOver")
        case .accessNumber: ([.milagro], "OwnClientTests.logsABrowserInByAccessNumber")
        case .oneTimePassword: (withoutTrust, "ResultFlowTests.makesAOneTimePassword")
        case .otherDevice: (sinceMFAv2, "ResultFlowTests.letsAnotherDeviceRegister")
        case .authorizationCode: ([.mfaV1, .mfaV2], "ResultFlowTests.logsAnApplicationIn")
        case .statement: (trust, "ResultFlowTests.givesAStatement")
        case .signingRegistration: ([.mfaV2], "SigningFlowTests.registersForSigning")
        case .signing: (sinceMFAv2, "SigningFlowTests.signs")
        case .signingSession: (trust, "SigningFlowTests.signsWhatASessionAsksFor")
        case .renewal: (sinceMFAv2, "RenewalFlowTests.takesANewSecret")
        case .failedRenewal: (sinceMFAv2, "RenewalFlowTests.keepsWhatItHasWhenARenewalFails")
        case .cutOffRegistration: (Self.dialects, "StepFlowTests.isCutOffWhileRegistering")
        case .revokedAtAnyStep: (Self.dialects, "StepFlowTests.isRevoked")
        case .blockedAtAnyStep: (Self.dialects, "StepFlowTests.isBlocked")
        case .renewedAtAnyStep: (sinceMFAv2, "StepFlowTests.isRenewed")
        case .expiredAtAnyStep: (Self.dialects, "StepFlowTests.isTooLate")
        case .timePermit: ([.milagro], "LoginFlowTests.asksForTimePermits")
        case .logout: ([.milagro], "LoginFlowTests.endsABrowsersSession")
        case .deletion: (Self.dialects, "RegistrationFlowTests.isDeletedAndRegistersAgain")
        }
    }
}

extension Dialect {
    var isTrust: Bool { self == .trust2023 || self == .trust2025 }
    /// In a classic dialect a device waits for the browser at the end of a login, and can log itself in without one.
    var isClassic: Bool { platformGeneration == nil }
}
