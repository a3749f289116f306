// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues

// Steps that take a code which was typed or scanned.
extension Kiosk {
    func enrol(_ step: KioskStep) async throws(KioskFailure) -> StepAnswer? {
        switch step {
        case .startVerification(let userID):
            try await steps.startVerification(userID: userID)
            return .verificationStarted
        case .finishVerification(let userID):
            return .verified(try await steps.finishVerification(userID: userID, code: secrets.typedCode))
        case .startRegistrationWithCode(let userID):
            return .registrationStarted(try await steps.startRegistration(userID: userID, code: secrets.typedCode))
        default: return nil
        }
    }

    /// What a code in view is to somebody who registers. Its secret is put aside until the machine takes it.
    func activation(in symbol: Symbol) -> ActivationReading? {
        guard machine.readsActivation, symbol.parts == 1 else { return nil }
        if let link = symbol.payload.withBytes({ VerificationLink(symbol: $0) }) {
            guard trust.allows(link.address.origin), mayCount(link) else { return nil }
            activationInView = link.code
            return .link(
                userID: link.userID, service: services.firstIndex { $0.address.origin == link.address.origin })
        }
        guard CodeEntry.accepts(symbol.payload) else { return nil }
        activationInView = symbol.payload
        return .code
    }

    /// The code of a mail is for the service alone that its link leads to: the backend of a session under way must
    /// not get another one's.
    private func mayCount(_ link: VerificationLink) -> Bool {
        guard let offer, let request = secrets.request(of: offer.session) else { return true }
        let origin = link.address.origin
        return request.baseURL.origin == origin || trust.joins(origin, offer.offer.backendURL.origin)
    }
}
