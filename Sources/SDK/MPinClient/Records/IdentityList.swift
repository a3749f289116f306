// SPDX-License-Identifier: Apache-2.0

import Encoding
import MPinCrypto

/// The known identities, in the order in which they were first saved.
struct IdentityList {
    private(set) var keys: [IdentityKey] = []
    private var records: [IdentityKey: IdentityRecord] = [:]
    /// The identities' numbers in the store, where no guest is.
    var numbers: [IdentityKey: Int] = [:]

    subscript(key: IdentityKey) -> IdentityRecord? {
        get { records[key] }
        set {
            if newValue == nil {
                keys.removeAll { $0 == key }
                numbers[key] = nil
            } else if records[key] == nil {
                keys.append(key)
            }
            records[key] = newValue
        }
    }

    /// Adds an identity from the store.
    mutating func take(_ identity: StoredIdentity) throws(RecordError) {
        self[identity.key] = try IdentityRecord(decoding: identity.record)
        numbers[identity.key] = identity.number
    }

    func state(of key: IdentityKey) -> UserState { records[key]?.state ?? .invalid }
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
