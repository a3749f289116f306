// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The identities that are known, in the order in which they were first saved.
struct IdentityBook {
    private(set) var keys: [IdentityKey] = []
    private var records: [IdentityKey: IdentityRecord] = [:]
    private var numbers: [IdentityKey: Int] = [:]
    private var versions: [IdentityKey: Int] = [:]

    subscript(key: IdentityKey) -> IdentityRecord? {
        get { records[key] }
        set {
            if newValue == nil {
                keys.removeAll { $0 == key }
                numbers[key] = nil
                versions[key] = nil
            }
            if newValue != nil, records[key] == nil { keys.append(key) }
            records[key] = newValue
        }
    }

    /// What the store calls an identity.
    func number(of key: IdentityKey) -> Int? { numbers[key] }

    mutating func setNumber(_ number: Int?, of key: IdentityKey) { numbers[key] = number }

    /// Which of a shared store's saves this is; 0 for what it has not.
    func version(of key: IdentityKey) -> Int { versions[key] ?? 0 }

    /// Takes over what a store has, in the place of what was known of it.
    mutating func take(_ identity: StoredIdentity) throws(RecordError) {
        self[identity.key] = try IdentityRecord(decoding: identity.record)
        numbers[identity.key] = identity.number
        versions[identity.key] = identity.version
    }

    /// Puts the identities in the order of their numbers, in which a store saved them first.
    mutating func sort() { keys.sort { numbers[$0] ?? .max < numbers[$1] ?? .max } }

    func state(of key: IdentityKey) -> UserState { records[key]?.state ?? .invalid }

    func user(_ key: IdentityKey) -> User? {
        guard let record = records[key] else { return nil }
        var user = User(key: key, state: record.state, deviceName: record.deviceName)
        user.number = numbers[key]
        user.registrationExpires = record.registration?.expires
        user.pinLength = record.credential?.pinLength ?? record.registration?.pinLength
        user.dialect = record.dialect
        user.customerID = record.customerID
        user.appID = record.appID
        user.setMPinID(record.mpinID)
        user.canSign = record.canSign
        user.signingPINLength = record.credential?.signing?.pinLength
        user.verificationType = record.verificationType
        return user
    }
}

extension User {
    mutating func setMPinID(_ mpinID: MPinID) {
        guard !mpinID.bytes.isEmpty else { return }
        self.mpinID = Hex.text(mpinID.bytes)
        hashedMPinID = Hex.text(MPinIdentity(mpinID).hashed.bytes)
    }
}
