// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Logging
import LoginValues

// Steps of a login at the kiosk itself. Each login has an access code of its own, which stays with the session's secrets
// and is good for a PIN that is typed again.
extension Kiosk {
    func open(_ place: Int, _ number: SessionNumber) {
        let local = localLogins[place]
        secrets.open(number, SessionRequest(local, place: place))
        domain = local.domain
        record(.errandBegun(number, .localLogin, domain: local.domain))
    }

    /// - Throws: when the door may not be opened yet: nobody is to log in for nothing.
    func startLocalLogin(
        _ local: LocalLogin, _ identity: KioskIdentity, session number: SessionNumber
    ) async throws(KioskFailure) -> StepAnswer {
        guard await local.door.wait(for: identity.userID) == nil else { throw .doorIsTired }
        let code = try await steps.freshAccessCode(for: local.application)
        secrets.keep(code, of: number)
        try await steps.startAuthentication(of: identity, accessCode: code)
        return .authenticationStarted
    }

    /// - Returns: nil when the session is over, and when there is no PIN any more.
    func finishLocalLogin(
        _ local: LocalLogin, _ identity: KioskIdentity, session number: SessionNumber
    ) async throws(KioskFailure) -> StepAnswer? {
        guard let code = secrets.ownCode(of: number), let pin = secrets.takePIN() else { return nil }
        try await steps.finishLocalLogin(of: identity, pin: pin, accessCode: code, at: local.application)
        do throws(DoorFailure) { try await local.door.open(for: identity.userID) } catch {
            logger.error("the door did not open", metadata: ["session": "\(number)", "reason": "\(error)"])
            throw KioskFailure(error)
        }
        return .doorOpened
    }

    /// The access code that a registration is for: the one that was scanned, or one of the kiosk's own.
    func codeForRegistration(_ request: SessionRequest) async throws(KioskFailure) -> AccessCode? {
        guard let place = request.localLogin else { return request.accessCode }
        return try await steps.freshAccessCode(for: localLogins[place].application)
    }

    /// Tells the server that a login of the kiosk's own was given up.
    func abandonOwnCode(of number: SessionNumber, _ outcome: SessionOutcome) {
        guard outcome.abandonsCode, let code = secrets.ownCode(of: number) else { return }
        enqueue(.abort(code))
    }
}

extension KioskFailure {
    fileprivate static let doorIsTired = KioskFailure(.tooOften, status: "TOO_OFTEN")

    fileprivate init(_ failure: DoorFailure) {
        let reason: Reason =
            switch failure.reason {
            case .tooOften: .tooOften
            case .broken: .doorFailed
            case .unknown: .doorUnknown
            }
        self.init(reason, status: "DOOR", passTwoWasSent: true)
    }
}
