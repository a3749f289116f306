// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

// A server may ask an identity to take another secret, because its issuers changed theirs (docs/protocol/miracl.md,
// section 13).
extension MPin {
    /// Fetches the new secret, makes a token with the PIN that was just used, and replaces the old one in one save.
    ///
    /// - Throws: an error, without a change.
    func renew(
        _ renewal: SecretRenewal, _ pin: borrowing Pin, _ purpose: ProofPurpose
    ) async throws(MPinError) {
        let (key, dialect) = (purpose.key, purpose.dialect)
        // Do not ask for a secret that cannot be stored.
        try await prepareToSave(key)
        switch renewal {
        case .unreadable(let error):
            throw MPinError(.badReply, detail: "the renewal cannot be read: \(error)")
        case .secret(let offer):
            let secret = try await run(
                SecretFlow(dialect: dialect, source: .offer(offer), privateKey: nil), namedBy: dialect.backend.origin)
            try await take(secret, publicKey: nil, pin, purpose)
        case .key(let token):
            let (secret, publicKey) = try await registerKey(key, dialect, token, in: "renewal")
            try await take(secret, publicKey: publicKey, pin, purpose)
        }
    }

    /// Registers a new key for an identity with the token from a login.
    func registerKey(
        _ key: IdentityKey, _ dialect: any Dialect, _ token: SecretBytes, in call: StaticString
    ) async throws(MPinError) -> (secret: SecretFlow.Outcome, publicKey: DVSPublicKey) {
        let keys = try KeyPair(for: call)
        let request = KeyRequest(
            userID: key.userID, deviceName: identities[key]?.deviceName ?? "", publicKey: keys.publicKey, token: token)
        let exchange = try dialect.registerKey(request)
        let secret = try await run(
            SecretFlow(dialect: dialect, source: .request(exchange), privateKey: keys.privateKey),
            namedBy: dialect.backend.origin)
        return (secret, keys.publicKey)
    }

    private func take(
        _ secret: SecretFlow.Outcome, publicKey: DVSPublicKey?, _ pin: borrowing Pin, _ purpose: ProofPurpose
    ) async throws(MPinError) {
        guard var record = identities[purpose.key], var credential = record.credential else { return }
        let identity = MPinIdentity(secret.mpinID, publicKey: publicKey)
        let token = try MPin.token(
            from: secret.secret, for: identity, newPIN: pin, length: nil, in: "renewal")
        if case .signing = purpose.target, credential.signing != nil, let publicKey {
            credential.signing = IdentityRecord.SigningCredential(
                mpinID: secret.mpinID, publicKey: publicKey, token: token, dtas: secret.dtas ?? "",
                pinLength: pin.length)
        } else {
            record.mpinID = secret.mpinID
            credential.token = token
            credential.pinLength = pin.length
            credential.publicKey = publicKey
            credential.dtas = secret.dtas
            credential.permitCache = nil
        }
        record.phase = .registered(credential)
        try await save(record, for: purpose.key)
    }
}
