// SPDX-License-Identifier: Apache-2.0

import Encoding
import MPinCrypto

/// The known identities, in the order in which they were first saved.
struct IdentityList {
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

    /// The identity's number in the store.
    func number(of key: IdentityKey) -> Int? { numbers[key] }

    mutating func setNumber(_ number: Int?, of key: IdentityKey) { numbers[key] = number }

    /// Adds an identity from the store.
    mutating func take(_ identity: StoredIdentity) throws(RecordError) {
        self[identity.key] = try IdentityRecord(decoding: identity.record)
        numbers[identity.key] = identity.number
    }

    func state(of key: IdentityKey) -> UserState { records[key]?.state ?? .invalid }

    func user(_ key: IdentityKey) -> User? {
        var user = records[key]?.user(key)
        user?.number = numbers[key]
        return user
    }
}

extension IdentityRecord {
    /// The identity for callers, without its number.
    func user(_ key: IdentityKey) -> User {
        var user = User(key: key, state: state, deviceName: deviceName)
        user.registrationExpires = registration?.expires
        user.pinLength = credentialOrHeld?.pinLength ?? registration?.pinLength
        user.dialect = dialect
        user.customerID = customerID
        user.appID = appID
        user.setMPinID(mpinID)
        user.canSign = canSign
        user.signingPINLength = credentialOrHeld?.signing?.pinLength
        user.verificationType = verificationType
        user.blockedUntil = held?.until
        user.isOverHTTP = isOverHTTP
        user.tries = credentialOrHeld?.tries ?? 0
        return user
    }
}

extension User {
    mutating func setMPinID(_ mpinID: MPinID) {
        guard !mpinID.bytes.isEmpty else { return }
        self.mpinID = Hexadecimal.text(mpinID.bytes)
        hashedMPinID = Hexadecimal.text(MPinIdentity(mpinID).hashed.bytes)
    }
}
