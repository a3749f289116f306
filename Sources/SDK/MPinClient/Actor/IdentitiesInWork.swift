// SPDX-License-Identifier: Apache-2.0

/// The work of all identities. An identity with nothing to remember has no entry.
struct IdentitiesInWork {
    private var entries: [IdentityKey: IdentityWork] = [:]

    subscript(key: IdentityKey) -> IdentityWork {
        get { entries[key] ?? IdentityWork() }
        set { entries[key] = newValue.isEmpty ? nil : newValue }
    }

    var isBusy: Bool { entries.values.contains { $0.isBusy } }

    var keysOfPendingRegistrations: [IdentityKey] {
        entries.filter { $0.value.shares.pendingRegistration != nil }.map(\.key)
    }

    mutating func forgetLogins() {
        for key in Array(entries.keys) { self[key].forgetLogin() }
    }
}
