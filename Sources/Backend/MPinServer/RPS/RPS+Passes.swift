// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto

/// The two passes. docs/protocol/milagro.md, sections 7.1 and 11.1.
extension RPS {
    /// `POST /pass1`: keeps the commitments and answers with a fresh challenge.
    /// - Throws: `Refusal` 403 for an identity that was never registered here, 429 when too many logins of it were
    ///   begun without a verdict, 503 when they cannot be counted.
    package func pass1(_ request: PassOneRequest) async throws -> PassOneReply {
        let pending = PendingChallenge(
            identity: MPinIdentity(request.mpinID), commitment: StoredBytes(request.commitment),
            permittedCommitment: request.permittedCommitment.map { StoredBytes($0) }, challenge: try .random())
        try await proofs.begin(LoginOrder(mpinID: request.mpinID), pending) { identity in
            guard identity?.isClassic == true else { throw Refusal.invalidPass("Unknown identity") }
        }
        return PassOneReply(challenge: pending.challenge)
    }

    /// `POST /pass2`: keeps the proof and answers with an authOTT, for a right PIN and a wrong one alike.
    /// - Throws: `Refusal` 403 when there is no pass 1 or it is too old.
    package func pass2(_ request: PassTwoRequest) async throws -> PassTwoReply {
        let password = request.wantsOneTimePassword ? String.randomDigits(6) : nil
        guard
            var authOTT = try await proofs.answer(
                of: request.mpinID, response: request.response, accessCode: request.accessCode,
                oneTimePassword: password)
        else { throw Refusal.invalidPass("Invalid pass one data") }
        // A code without an open session also gets an authOTT, which the last request refuses with 412. A typed number
        // may be a guess, and is counted here.
        if let number = request.accessCode, AccessNumber.isOne(number),
            try await openCode(number) == nil
        {
            authOTT = try .random()
        }
        return PassTwoReply(authOTT: authOTT, oneTimePassword: password)
    }
}
