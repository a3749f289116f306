// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

// Steps of signing, and what they bring.
extension Kiosk {
    /// - Parameter service: where the session is.
    /// - Returns: nil when there is no PIN any more.
    func answer(toSigning step: KioskStep, at service: WebAddress) async throws(KioskFailure) -> StepAnswer? {
        switch step {
        case .readSigner(let identity): return .signerRead(try await steps.readSigner(identity))
        case .startSigningKey(let identity):
            guard let pin = secrets.takePIN() else { return nil }
            try await steps.startSigningKey(of: identity, pin: pin)
            return .signingKeyStarted
        case .finishSigningKey(let identity):
            guard let pin = secrets.takePIN() else { return nil }
            return .signingKeyFinished(try await steps.finishSigningKey(of: identity, pin: pin))
        case .prepareDocument(let document):
            return .documentPrepared(try await steps.prepareDocument(document, at: service))
        case .sign(let identity, let hash):
            guard let pin = secrets.takePIN() else { return nil }
            try await steps.sign(hash, as: identity, pin: pin)
            return .signed
        case .readService, .openBackend, .startRegistration, .restartRegistration, .confirmRegistration,
            .finishRegistration, .startAuthentication, .finishAuthentication, .deleteIdentity, .logout,
            .startVerification,
            .finishVerification, .startRegistrationWithCode:
            return nil
        }
    }
}
