// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

extension MPin {
    /// Makes the token from the shares and the person's new PIN, and stores it. Makes no request.
    ///
    /// - Parameters:
    ///   - user: an identity whose registration was confirmed.
    ///   - pin: nil when the person chose none.
    ///   - pin1: there is no second factor.
    /// - Throws: ``MPinError/Kind/misuse`` without shares; ``MPinError/Kind/pinLength(_:)`` for a PIN of another length
    ///   than the server wants; ``MPinError/Kind/noPIN`` without a PIN; ``MPinError/Kind/unusablePIN`` for a PIN of
    ///   zeros, whose token would be the whole secret; ``MPinError/Kind/storage(_:)``. The shares stay then, for
    ///   another try.
    public func finishRegistration(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil
    ) async throws(MPinError) -> User {
        let (_, key) = try begin(.finishRegistration, of: user)
        defer { end(key) }
        guard let secret = work[key].clientSecret, var record = unfinishedRecord(of: key) else {
            throw MPinError(
                .misuse,
                detail: "finishRegistration: there are no secret shares; confirm the registration first")
        }
        let pin = try MPin.required(pin, in: "finishRegistration")
        let publicKey = work[key].pendingRegistration?.publicKey
        let wanted = work[key].pendingRegistration?.reply.pinLength ?? record.registration?.pinLength
        let pinLength = pin.length
        record.phase = .registered(
            IdentityRecord.Credential(
                token: try MPin.token(
                    from: secret.secret, for: MPinIdentity(secret.mpinID, key: publicKey), newPIN: pin, length: wanted,
                    in: "finishRegistration"),
                pinReading: .decimal, pinLength: pinLength, permitCache: nil, publicKey: publicKey, dtas: secret.dtas))
        try await save(record, for: key)
        work[key].forgetIdentity()
        return snapshot(of: key) ?? user
    }

    /// The record that becomes registered: a stored one, or a new one for a registration that lives in memory.
    private func unfinishedRecord(of key: IdentityKey) -> IdentityRecord? {
        guard let pending = work[key].pendingRegistration else { return identities[key] }
        return IdentityRecord(
            mpinID: pending.reply.mpinID, deviceName: pending.deviceName, dialect: pending.dialect.name,
            phase: .blocked,
            customerID: pending.reply.customerID, appID: pending.reply.appID,
            verificationType: pending.reply.verificationType)
    }

    /// Wipes the secret shares of a registration that was confirmed and not finished, because the person left; in the trust
    /// dialects the whole registration. Shares that are being fetched are dropped when they arrive.
    public func forgetShares(of user: User) {
        work[user.key].forgetShares()
        if work[user.key].isBusy { work[user.key].sharesAreUnwanted = true }
    }
}
