// SPDX-License-Identifier: Apache-2.0

import KioskMachine

// Steps that end an errand from the menu, and what they bring.
extension Kiosk {
    /// - Returns: nil for what has no login of its own.
    func start(
        _ errand: Errand, _ identity: KioskIdentity, _ request: SessionRequest, session number: SessionNumber
    ) async throws(KioskFailure) -> StepAnswer? {
        switch errand {
        case .login, .enrolment, .verification, .signing: return nil
        case .oneTimePassword: try await steps.startOneTimePassword(of: identity)
        case .quickCode: try await steps.startQuickCode(of: identity)
        case .localLogin:
            guard let place = request.localLogin else { return nil }
            return try await startLocalLogin(localLogins[place], identity, session: number)
        case .identities: try await steps.startConfirming(identity)
        }
        return .authenticationStarted
    }

    /// - Returns: nil for what has no login of its own, and when there is no PIN any more.
    func finish(
        _ errand: Errand, _ identity: KioskIdentity, _ request: SessionRequest, session number: SessionNumber
    ) async throws(KioskFailure) -> StepAnswer? {
        if let place = request.localLogin {
            return try await finishLocalLogin(localLogins[place], identity, session: number)
        }
        guard let pin = secrets.takePIN() else { return nil }
        switch errand {
        case .login, .localLogin, .enrolment, .verification, .signing: return nil
        case .oneTimePassword: return .codeIssued(try await steps.finishOneTimePassword(of: identity, pin: pin))
        case .quickCode: return .codeIssued(try await steps.finishQuickCode(of: identity, pin: pin))
        case .identities:
            try await steps.finishConfirming(identity, pin: pin)
            return .identityConfirmed
        }
    }

    func open(_ errand: Errand, _ service: TypedService, _ number: SessionNumber) {
        secrets.open(number, SessionRequest(service))
        domain = service.name
        record(.errandBegun(number, errand, domain: service.name))
    }

    func answered(_ code: IssuedCode, session number: SessionNumber) {
        secrets.keep(code.digits, of: number)
        carryOut(machine.codeIssued(lifetime: code.lifetime, session: number))
    }
}
