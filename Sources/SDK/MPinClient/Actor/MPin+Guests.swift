// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues

// An identity that a person brings along for a while: it is stored elsewhere, and never here.
extension MPin {
    /// An identity in a form that another client can take in as a guest: its registration and its token, without
    /// values that change from day to day.
    ///
    /// - Returns: equal bytes for the same token, so that two can be compared. It holds the token: seal it.
    /// - Throws: ``MPinError/Kind/misuse`` when the identity is not registered.
    public func portableIdentity(of user: User) throws(MPinError) -> StoredIdentity {
        try requireInitialized("portableIdentity")
        guard var record = identities[user.key], var credential = record.credential else {
            throw MPinError(.misuse, detail: "portableIdentity: the identity is not registered")
        }
        (credential.permitCache, credential.tries) = (nil, 0)
        record.phase = .registered(credential)
        return StoredIdentity(key: user.key, record: record.encoded())
    }

    /// Whether ``portableIdentity(of:)`` made this, in a client that is not newer than this one.
    public static func isPortable(_ identity: StoredIdentity) -> Bool { portableRecord(identity) != nil }

    /// Whether the identity has the name of the user in its mpin_id. With another name a person would agree to a login
    /// as one user, and the server would log in another one.
    public static func isNamedByItsUser(_ identity: StoredIdentity) -> Bool {
        portableRecord(identity)?.userID?.isSameUserID(as: identity.key.userID) == true
    }

    /// Takes in an identity that ``portableIdentity(of:)`` made at another client. It is kept in memory only. It hides
    /// an identity of this store with the same key until the guest has gone.
    ///
    /// A login does not renew a guest's secret, even if the server offers a new one. In the trust dialects
    /// ``changePIN(of:from:to:)`` fetches a secret for a new key and does not use it: the old key works until the new
    /// one is used. So the person's old copy works until the new one, of ``portableIdentity(of:)``, does.
    ///
    /// - Parameter card: the validity of the guest's card. A login with it reports it to a backend that asks for it,
    ///   and to no other.
    /// - Throws: ``MPinError/Kind/misuse`` for an identity that ``isPortable(_:)`` or ``isNamedByItsUser(_:)``
    ///   refuses, and while another call on the identity is under way.
    public func takeGuest(_ identity: StoredIdentity, card: CardTimes? = nil) throws(MPinError) -> User {
        try requireInitialized("takeGuest")
        guard let record = MPin.portableRecord(identity), MPin.isNamedByItsUser(identity) else {
            throw MPinError(.misuse, detail: "takeGuest: this is not an identity that this client can take in")
        }
        let key = identity.key
        try begin("takeGuest", on: key)
        defer { end(key) }
        if guests[key] != nil { dismiss(key) }
        guests[key] = Guest(host: identities[key], number: identities.numbers[key], card: card)
        identities[key] = record
        identities.numbers[key] = nil
        work[key].forgetIdentity()
        return snapshot(of: key) ?? User(key: key, state: record.state, deviceName: record.deviceName)
    }

    /// Forgets all guests. One with a call under way goes when the call has ended.
    public func dismissGuests() {
        for key in Array(guests.keys) {
            if work[key].isBusy { guests[key]?.isLeaving = true } else { dismiss(key) }
        }
    }

    /// The number of identities of this device, without its guests.
    package var ownIdentityCount: Int { identities.keys.count - guests.values.count { $0.host == nil } }

    func dismiss(_ key: IdentityKey) {
        guard let guest = guests.removeValue(forKey: key) else { return }
        identities[key] = guest.host
        identities.numbers[key] = guest.number
        work[key].forgetIdentity()
        logger.debug("a guest has gone")
    }

    private static func portableRecord(_ identity: StoredIdentity) -> IdentityRecord? {
        guard let record = try? IdentityRecord(decoding: identity.record), record.credential != nil else { return nil }
        return record
    }
}

/// A guest in memory.
struct Guest {
    /// The identity that this client's store has under the same key, with its number.
    let host: IdentityRecord?
    let number: Int?
    let card: CardTimes?
    /// Whether the guest goes as soon as the call under way has ended.
    var isLeaving = false
}
