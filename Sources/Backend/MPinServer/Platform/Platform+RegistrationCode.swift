// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto

/// Codes that register another device of the same user. docs/protocol/miracl.md, section 11.2.
extension Platform {
    /// `POST /verification/quickcode`: exchanges the token of an authentication for a code, once.
    /// - Throws: `PlatformRefusal` for malformed data, an invalid token, and an identity that was blocked or revoked
    ///   since it got the token.
    package func makeRegistrationCode(_ request: RegistrationCodeRequest) async throws -> RegistrationCodeReply {
        let now = clock.now
        let token: PlatformToken? = await WebTokenVerifier(keySet: tokens.keySet)
            .payload(of: request.token, at: now)
        // The number is stored here until it is used.
        guard let number = token?.number, let right = try await registrationCodeRights.take(number, now: now)
        else { throw PlatformRefusal.invalid("jwt") }
        try await requireGood(right.mpinID)
        let code = shortCode()
        let expires = now + RegistrationCodeReply.lifetime
        try await activations.insert(
            Verification(type: .registrationCode, issuer: right.mpinID),
            for: UserCode(userID: right.userID, code: code), of: .person(right.userID), expires: expires, now: now)
        return RegistrationCodeReply(code: code, expires: expires)
    }
}

/// The right of an identity's device to register another device.
struct RegistrationCodeRight: Codable, Sendable {
    let mpinID: MPinID
    let userID: String
}
