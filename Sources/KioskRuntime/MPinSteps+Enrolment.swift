// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

extension MPinSteps {
    func startRegistration(userID: String, code: SecretBytes) async throws(KioskFailure) -> KioskIdentity {
        // There every registration belongs to a browser's session, and a code stands for none.
        guard (try? await sdk.dialectOfBackend()) != .mfaV1 else {
            throw KioskFailure(.notOffered, status: Status.flowError.name)
        }
        return try await call("start registration with a code") { () throws(MPinError) in
            let user = try await newcomer(userID)
            return KioskIdentity(try await sdk.startRegistration(of: user, activateCode: code))
        }
    }

    func startVerification(userID: String) async throws(KioskFailure) {
        try await startErrand("start verification") { () throws(MPinError) in
            _ = try await sdk.startVerification(of: try await newcomer(userID))
        }
    }

    func finishVerification(userID: String, code: SecretBytes) async throws(KioskFailure) -> SecretBytes {
        try await call("finish verification") { () throws(MPinError) in
            try await sdk.finishVerification(of: try await newcomer(userID), code: code).activationToken
        }
    }

    /// Somebody who is not registered. Whose address is being verified stays; any other registration that was never
    /// finished makes room, because nobody comes back to it.
    private func newcomer(_ userID: String) async throws(MPinError) -> User {
        let known = try await sdk.users().first { $0.identity.isSameUserID(as: userID) }
        guard let known else { return await sdk.makeNewUser(userID) }
        switch known.state {
        case .registered, .startedVerification: return known
        case .invalid, .startedRegistration, .activated, .blocked:
            try await sdk.deleteUser(known)
            return await sdk.makeNewUser(userID)
        }
    }
}
