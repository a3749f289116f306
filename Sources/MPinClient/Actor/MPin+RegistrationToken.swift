// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension MPin {
    /// Completes the registration's token with a second part that reached the person on another way. How the parts make one
    /// is not documented anywhere; nothing but the request for the first share sees it.
    ///
    /// - Parameter token: visible ASCII, 1 to 256 characters.
    /// - Throws: ``MPinError/Kind/misuse`` for any other text and when the token was completed before;
    ///   ``MPinError/Kind/storage(_:)``; nothing has changed then.
    public func setRegistrationToken(_ token: SecretBytes, of user: User) async throws(MPinError) {
        let (_, key) = try begin(.setRegistrationToken, of: user)
        defer { end(key) }
        let isPlain = token.withBytes { text in text.indices.allSatisfy { (0x21...0x7E).contains(text[$0]) } }
        guard (1...256).contains(token.count), isPlain, !work[key].tokenIsCompleted, var record = identities[key],
            let registration = record.registration
        else {
            throw MPinError(
                .misuse,
                detail: "setRegistrationToken: a token has 1 to 256 visible characters, and is set once a registration")
        }
        record.phase = .startedRegistration(
            IdentityRecord.Registration(
                regOTT: Inferred.completed(registration.regOTT, with: token), wid: registration.wid,
                expires: registration.expires, pinLength: registration.pinLength))
        try await save(record, for: key)
        work[key].tokenIsCompleted = true
    }

    /// Whether the token of the running registration was completed by this client.
    public func isRegistrationTokenSet(_ user: User) -> Bool { work[user.key].tokenIsCompleted }
}
