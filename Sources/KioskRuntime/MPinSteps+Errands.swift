// SPDX-License-Identifier: Apache-2.0

import KioskCore
import MPinClient

// What the errands have in common.
extension MPinSteps {
    /// The start of an errand by an identity that was registered a moment ago: a call that does not fit means that the
    /// backend knows no such errand.
    func startErrand(
        _ what: String, _ body: () async throws(MPinError) -> Void
    ) async throws(KioskFailure) {
        do throws(MPinError) { try await body() } catch {
            let failure = failure(error, of: what)
            throw error.kind == .misuse ? KioskFailure(.notOffered, status: failure.status) : failure
        }
    }

    /// - Throws: when the login succeeded and brought no code.
    func issued(_ code: OneTimePassword) throws(KioskFailure) -> IssuedCode {
        guard let absence = code.absence else {
            return IssuedCode(digits: code.digits, lifetime: .seconds(code.ttlSeconds))
        }
        throw KioskFailure(KioskFailure.Reason(absence), status: code.status.name, passTwoWasSent: true)
    }
}
