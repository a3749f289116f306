// SPDX-License-Identifier: Apache-2.0

/// Codes that register another device of the same user. MIRACL protocol, section 11.2.
extension Platform {
    private static let quickCodeLifetime = Duration.seconds(300)

    /// `POST /verification/quickcode`: a code for the token of an authentication that was for one, once.
    /// - Throws: `PlatformRefusal` for malformed data, a token that does not count, and an identity that was blocked or revoked
    ///   since it got it.
    func makeQuickCode(_ body: JSONObject) async throws -> JSONObject {
        try requireProject(of: body)
        let now = clock.now
        let token: PlatformToken? = await WebTokenVerifier(keySet: tokens.keySet)
            .payload(of: body.string("jwt") ?? "", at: now)
        // Its number is known here until it is used.
        guard let number = token?.number, let right = quickCodeRights.remove(number, now: now)
        else { throw PlatformRefusal.invalid("jwt") }
        try requireGood(right.mpinID)
        let code = shortCode()
        let expires = now + Self.quickCodeLifetime
        try activations.insert(
            Verification(type: .registrationCode, issuer: right.mpinID),
            for: UserCode(userID: right.userID, code: code), of: .person(right.userID), expires: expires, now: now)
        return JSONObject([
            "code": .string(code), "expireTime": .integer(expires.seconds),
            "ttlSeconds": .integer(Self.quickCodeLifetime.components.seconds),
        ])
    }
}
