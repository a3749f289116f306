// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues

// An identity that a person brings along for a while: it was stored elsewhere, and is never stored here.
extension MPin {
    /// An identity as another client may take it in as a guest: what it was registered with and its token, without what
    /// is remembered from day to day.
    ///
    /// - Returns: the same for the same token, so that two can be compared. It holds the token: seal it.
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

    /// Whether this is what ``portableIdentity(of:)`` gave, of a client that is not newer than this one.
    public static func isPortable(_ identity: StoredIdentity) -> Bool { portableRecord(identity) != nil }

    /// Whether the name of an identity is that of the user in its mpin_id. Another name would have a person agree to a
    /// login as one user, and the server log in another one.
    public static func isNamedByItsUser(_ identity: StoredIdentity) -> Bool {
        portableRecord(identity)?.userID?.isSameUserID(as: identity.key.userID) == true
    }

    /// Takes in an identity that ``portableIdentity(of:)`` gave to another client. It is kept in memory only; an
    /// identity of this store with the same key is out of sight and stays as it is until the guest has gone.
    ///
    /// A login leaves the guest's secret as it is, also where the server would give another one. In the trust dialects
    /// ``changePIN(of:from:to:)`` takes that, for a new key, and does not use it: the old key counts until the new one
    /// was used, so the person's old copy works until the new one, of ``portableIdentity(of:)``, does.
    ///
    /// - Parameter card: when the card counts that the guest came with. A login with it says so to a backend that asks
    ///   for it, and to no other.
    /// - Throws: ``MPinError/Kind/misuse`` for what ``isPortable(_:)`` or ``isNamedByItsUser(_:)`` says no to, and
    ///   while another call on the identity is under way.
    public func takeGuest(_ identity: StoredIdentity, card: CardTimes? = nil) throws(MPinError) -> User {
        try requireInitialized("takeGuest")
        guard let record = MPin.portableRecord(identity), MPin.isNamedByItsUser(identity) else {
            throw MPinError(.misuse, detail: "takeGuest: this is no identity that this client can take in")
        }
        let key = identity.key
        try begin("takeGuest", on: key)
        defer { end(key) }
        if guests[key] != nil { dismiss(key) }
        guests[key] = Guest(host: identities[key], number: identities.number(of: key), card: card)
        identities[key] = record
        identities.setNumber(nil, of: key)
        work[key].forgetIdentity()
        return snapshot(of: key) ?? User(key: key, state: record.state, deviceName: record.deviceName)
    }

    /// Forgets all guests; one in the middle of a call goes when that has ended.
    public func dismissGuests() {
        for key in Array(guests.keys) {
            if work[key].isBusy { guests[key]?.isLeaving = true } else { dismiss(key) }
        }
    }

    func dismiss(_ key: IdentityKey) {
        guard let guest = guests.removeValue(forKey: key) else { return }
        identities[key] = guest.host
        identities.setNumber(guest.host == nil ? nil : guest.number, of: key)
        work[key].forgetIdentity()
        logger.debug("a guest has gone")
    }

    private static func portableRecord(_ identity: StoredIdentity) -> IdentityRecord? {
        guard let record = try? IdentityRecord(decoding: identity.record), record.credential != nil else { return nil }
        return record
    }
}

/// Memory of an identity that is not this client's.
struct Guest {
    /// The identity that this client's store has under the same key, and its number.
    let host: IdentityRecord?
    let number: Int?
    let card: CardTimes?
    /// Whether it goes as soon as the call under way has ended.
    var isLeaving = false
}
