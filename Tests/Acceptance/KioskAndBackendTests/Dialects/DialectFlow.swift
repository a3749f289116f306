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
    case otherDevice = "code for another device"
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

    func isThere(in dialect: Dialect) -> Bool {
        switch self {
        case .registrationByMail: !dialect.isTrust
        case .oneTimePassword: !dialect.isTrust
        case .registrationByCode, .verification, .otherDevice, .signing, .renewal, .failedRenewal, .renewedAtAnyStep:
            dialect == .mfaV2 || dialect.isTrust
        case .authorizationCode: dialect == .mfaV1 || dialect == .mfaV2
        case .statement, .signingSession: dialect.isTrust
        case .signingRegistration: dialect == .mfaV2
        case .accessNumber, .timePermit, .logout: dialect == .milagro
        case .expiredRegistration, .cutOffRegistration, .browserLogin, .wrongPIN, .blocking, .pinChange,
            .expiredSession, .revokedAtAnyStep, .blockedAtAnyStep, .expiredAtAnyStep, .deletion:
            true
        }
    }

    /// The test of the row, for the dialects with the flow and for the others.
    var test: String {
        switch self {
        case .registrationByMail: "RegistrationFlowTests.registersByMail"
        case .registrationByCode: "RegistrationFlowTests.registersByCode"
        case .verification: "RegistrationFlowTests.verifies"
        case .expiredRegistration: "RegistrationFlowTests.waitsForConfirmation"
        case .browserLogin: "LoginFlowTests.logsABrowserIn"
        case .wrongPIN: "LoginFlowTests.triesAgain"
        case .blocking: "LoginFlowTests.isBlocked"
        case .pinChange: "ChangePINFlowTests.changesThePIN"
        case .expiredSession: "LoginFlowTests.learnsThatASessionIsOver"
        case .accessNumber: "OwnClientTests.logsABrowserInByAccessNumber"
        case .oneTimePassword: "ResultFlowTests.makesAOneTimePassword"
        case .otherDevice: "ResultFlowTests.letsAnotherDeviceRegister"
        case .authorizationCode: "ResultFlowTests.logsAnApplicationIn"
        case .statement: "ResultFlowTests.givesAStatement"
        case .signingRegistration: "SigningFlowTests.registersForSigning"
        case .signing: "SigningFlowTests.signs"
        case .signingSession: "SigningFlowTests.signsWhatASessionAsksFor"
        case .renewal: "RenewalFlowTests.takesANewSecret"
        case .failedRenewal: "RenewalFlowTests.keepsWhatItHasWhenARenewalFails"
        case .cutOffRegistration: "StepFlowTests.isCutOffWhileRegistering"
        case .revokedAtAnyStep: "StepFlowTests.isRevoked"
        case .blockedAtAnyStep: "StepFlowTests.isBlocked"
        case .renewedAtAnyStep: "StepFlowTests.isRenewed"
        case .expiredAtAnyStep: "StepFlowTests.isTooLate"
        case .timePermit: "LoginFlowTests.asksForTimePermits"
        case .logout: "LoginFlowTests.endsABrowsersSession"
        case .deletion: "RegistrationFlowTests.isDeletedAndRegistersAgain"
        }
    }
}

extension Dialect {
    var isTrust: Bool { self == .trust2023 || self == .trust2025 }
    /// In a classic dialect a device waits for the browser at the end of a login, and can log itself in without one.
    var isClassic: Bool { platformGeneration == nil }
}
