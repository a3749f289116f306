// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The identities that are known, in the order in which they were first saved.
struct IdentityBook {
    private(set) var keys: [IdentityKey] = []
    private var records: [IdentityKey: IdentityRecord] = [:]
    private var numbers: [IdentityKey: Int] = [:]

    subscript(key: IdentityKey) -> IdentityRecord? {
        get { records[key] }
        set {
            if newValue == nil {
                keys.removeAll { $0 == key }
                numbers[key] = nil
            }
            if newValue != nil, records[key] == nil { keys.append(key) }
            records[key] = newValue
        }
    }

    /// What the store calls an identity.
    func number(of key: IdentityKey) -> Int? { numbers[key] }

    mutating func setNumber(_ number: Int?, of key: IdentityKey) { numbers[key] = number }

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
