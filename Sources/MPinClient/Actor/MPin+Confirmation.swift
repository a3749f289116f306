// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension MPin {
    /// Asks whether the person followed the activation mail, and fetches the secret shares. They stay in memory until
    /// ``finishRegistration(of:pin:pin1:)`` or ``forgetShares(of:)``; the state does not change.
    ///
    /// The server answers once: after a success, or ``MPinError/Kind/registrationGone``, only a restart
    /// brings new shares, in the trust dialects another activation token. Where the shares are here already, those dialects
    /// make no request.
    ///
    /// - Parameters:
    ///   - user: an identity whose registration was started.
    ///   - pushIdentifier: where the server may send push messages to, at most 256 bytes: a way to begin a login without
    ///     an access code.
    /// - Throws: ``MPinError/Kind/notVerified`` when the mail was not followed yet,
    ///   ``MPinError/Kind/registrationGone``; ``MPinError/Kind/storage(_:)`` when the token could not be saved later,
    ///   and nothing was asked for then.
    public func confirmRegistration(of user: User, pushIdentifier: String? = nil) async throws(MPinError) -> User {
        try requireShort(pushIdentifier, in: "confirmRegistration")
        let (dialect, key) = try begin(.confirmRegistration, of: user)
        defer { end(key) }
        try await prepareToSave(key)
        if let pending = work[key].pendingRegistration {
            return try await confirm(pending, key, pushIdentifier)
        }
        guard let record = identities[key], let registration = record.registration else { return user }
        let request = FirstShareRequest(
            mpinID: record.mpinID, regOTT: registration.regOTT, pushIdentifier: pushIdentifier)
        let secret = try await run(
            SecretFlow(
                dialect: dialect, source: .request(try dialect.firstSecretShare(request)), privateKey: nil),
            namedBy: dialect.backend.origin)
        try keep(secret, for: key)
        return snapshot(of: key) ?? user
    }

    private func confirm(
        _ pending: PendingRegistration, _ key: IdentityKey, _ pushIdentifier: String?
    ) async throws(MPinError) -> User {
        guard let privateKey = pending.privateKey else { return pending.user(key) }
        let source: SecretFlow.Source
        switch pending.reply.access {
        case .offer(let offer): source = .offer(offer)
        case .token(let regOTT):
            source = .request(
                try pending.dialect.firstSecretShare(
                    FirstShareRequest(
                        mpinID: pending.reply.mpinID, regOTT: regOTT, pushIdentifier: pushIdentifier,
                        publicKey: pending.publicKey)))
        }
        let secret = try await run(
            SecretFlow(dialect: pending.dialect, source: source, privateKey: privateKey),
            namedBy: pending.dialect.backend.origin)
        try keep(secret, for: key)
        work[key].pendingRegistration?.privateKey = nil
        return pending.user(key)
    }

    private func keep(_ secret: SecretFlow.Outcome, for key: IdentityKey) throws(MPinError) {
        guard !work[key].sharesAreUnwanted else {
            throw MPinError(
                .registrationGone, status: .flowError,
                detail: "confirmRegistration: the shares were forgotten while they were fetched")
        }
        work[key].clientSecret = secret
    }
}
