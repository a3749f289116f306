// SPDX-License-Identifier: Apache-2.0

/// The identities that are known, in the order in which they were first saved.
struct IdentityBook {
    private(set) var keys: [IdentityKey] = []
    private var records: [IdentityKey: IdentityRecord] = [:]

    subscript(key: IdentityKey) -> IdentityRecord? {
        get { records[key] }
        set {
            if newValue == nil { keys.removeAll { $0 == key } }
            if newValue != nil, records[key] == nil { keys.append(key) }
            records[key] = newValue
        }
    }

    func state(of key: IdentityKey) -> UserState { records[key]?.state ?? .invalid }

    func user(_ key: IdentityKey) -> User? {
        guard let record = records[key] else { return nil }
        return User(
            key: key, state: record.state, deviceName: record.deviceName,
            registrationExpires: record.registration?.expires, pinLength: record.credential?.pinLength)
    }
}
