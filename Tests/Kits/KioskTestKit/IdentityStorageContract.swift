// SPDX-License-Identifier: Apache-2.0

import LoginValues
public import MPinClient

/// Checks the contract of every `IdentityStorage`, real or fake.
///
/// - Parameter make: opens a new, empty store. Each part of the suite calls it.
/// - Throws: the first `ContractViolation`, or the store's error.
public func checkIdentityStorageContract(_ make: () async throws -> any IdentityStorage) async throws {
    try await IdentityStorageContract.beginsEmpty(try await make())
    try await IdentityStorageContract.keepsTheOrderOfTheFirstSave(try await make())
    try await IdentityStorageContract.numbersForGood(try await make())
    try await IdentityStorageContract.replacesTheRecordOfAKey(try await make())
    try await IdentityStorageContract.tellsKeysApart(try await make())
    try await IdentityStorageContract.removes(try await make())
    try await IdentityStorageContract.changesNothingWhenPreparing(try await make())
    try await IdentityStorageContract.refusesRecordsThatAreTooLong(try await make())
    try await IdentityStorageContract.takesOverlappingCalls(try await make())
}

private enum IdentityStorageContract {
    static func beginsEmpty(_ store: any IdentityStorage) async throws {
        try await expect(store, [], "a fresh store has no identities")
    }

    static func keepsTheOrderOfTheFirstSave(_ store: any IdentityStorage) async throws {
        let all = ["carol", "alice", "bob"].map { identity($0, record: Array($0.utf8)) }
        for identity in all { try await store.save(identity) }
        try await expect(store, all, "identities come in the order in which they were first saved")
        let changed = identity("carol", record: [1, 2, 3])
        try await store.save(changed)
        try await expect(store, [changed, all[1], all[2]], "saving again keeps an identity's place")
        try await store.remove(changed.key)
        try await store.save(changed)
        try await expect(store, [all[1], all[2], changed], "an identity that was removed comes back at the end")
    }

    static func numbersForGood(_ store: any IdentityStorage) async throws {
        let rule = "a number is the next one, is kept, and is never given a second time"
        func save(_ userID: String, at backend: String = "backend.test", expecting number: Int) async throws {
            let key = IdentityKey(userID: userID, backend: backend)
            // The caller's number is ignored.
            let identity = StoredIdentity(key: key, record: SecretBytes(copying: []), number: 77)
            let given = try await store.save(identity)
            let found = try await store.identities().first { $0.key == key }?.number
            try ContractViolation.check(given == number && found == number, rule)
        }
        try await save("carol", expecting: 1)
        try await save("alice", expecting: 2)
        try await save("alice", at: "other.test", expecting: 3)
        try await save("carol", expecting: 1)
        for (userID, number) in [("carol", 4), ("carol", 5), ("alice", 6)] {
            try await store.remove(IdentityKey(userID: userID, backend: "backend.test"))
            try await save(userID, expecting: number)
        }
        try await save("alice", at: "other.test", expecting: 3)
        for identity in try await store.identities() { try await store.remove(identity.key) }
        try await save("bob", expecting: 7)
    }

    static func replacesTheRecordOfAKey(_ store: any IdentityStorage) async throws {
        // Empty, with every byte value, and of the maximum length.
        let records = [[], Array(0...255), [UInt8](repeating: 0x5A, count: StoredIdentity.maximumRecordLength), [0]]
        for record in records {
            let identity = identity("alice", record: record)
            try await store.save(identity)
            try await expect(store, [identity], "a record of \(record.count) bytes comes back as it was saved")
        }
    }

    static func tellsKeysApart(_ store: any IdentityStorage) async throws {
        // Letter case and blanks count, and a key's two parts are not joined.
        let keys = [
            ("alice", "a.test"), ("Alice", "a.test"), ("alice ", "a.test"), ("alice", "a.test/x"), ("alicea.test", ""),
            ("", "alicea.test"), ("zo\u{EB}", "a.test"), ("o'neil; --", "a.test"), ("100%_", "a.test"),
        ]
        let all = keys.enumerated().map { index, key in
            StoredIdentity(
                key: IdentityKey(userID: key.0, backend: key.1), record: SecretBytes(copying: [UInt8(index)]))
        }
        for identity in all { try await store.save(identity) }
        try await expect(store, all, "identities whose keys differ in anything are different identities")
    }

    static func removes(_ store: any IdentityStorage) async throws {
        let alice = identity("alice", record: [1])
        let bob = identity("bob", record: [2])
        try await store.save(alice)
        try await store.save(bob)
        try await store.remove(alice.key)
        try await expect(store, [bob], "a removed identity is gone, and only that one")
        try await store.remove(alice.key)
        try await expect(store, [bob], "removing an unknown identity is no error")
    }

    static func changesNothingWhenPreparing(_ store: any IdentityStorage) async throws {
        let rule = "preparing to save changes no identity and gives no number away"
        try await store.prepareToSave()
        try await expect(store, [], rule)
        let alice = identity("alice", record: [1])
        try await store.save(alice)
        try await store.prepareToSave()
        try await expect(store, [alice], rule)
        let number = try await store.save(identity("bob", record: [2]))
        try ContractViolation.check(number == 2, rule)
    }

    static func refusesRecordsThatAreTooLong(_ store: any IdentityStorage) async throws {
        let short = identity("alice", record: [1])
        try await store.save(short)
        let tooLong = identity(
            "alice", record: [UInt8](repeating: 0, count: StoredIdentity.maximumRecordLength + 1))
        var refusal: IdentityStorageError?
        do throws(IdentityStorageError) { try await store.save(tooLong) } catch { refusal = error }
        try ContractViolation.check(refusal?.code == .recordTooLong, "a record that is too long is refused as such")
        try await expect(store, [short], "a save that failed changes nothing")
    }

    static func takesOverlappingCalls(_ store: any IdentityStorage) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await store.save(identity("user\(number % 10)", record: [UInt8(number % 10)]))
                    if number.isMultiple(of: 2) { _ = try await store.identities() }
                }
            }
            try await group.waitForAll()
        }
        let records = try await store.identities()
        let expected = Set((0..<10).map { "user\($0)" })
        try ContractViolation.check(
            records.count == 10 && Set(records.map(\.key.userID)) == expected,
            "overlapping saves lose nothing and keep one record a key")
        try ContractViolation.check(
            records.allSatisfy {
                $0.record == identity($0.key.userID, record: [UInt8($0.key.userID.utf8.last ?? 0) - 0x30]).record
            },
            "overlapping saves do not mix records up")
    }

    private static func identity(_ userID: String, record: [UInt8]) -> StoredIdentity {
        StoredIdentity(
            key: IdentityKey(userID: userID, backend: "backend.test"), record: SecretBytes(copying: record))
    }

    private static func expect(
        _ store: any IdentityStorage, _ identities: [StoredIdentity], _ rule: String
    ) async throws {
        let found = try await store.identities()
        // Numbers have a separate rule.
        let content = found.map { StoredIdentity(key: $0.key, record: $0.record) }
        try ContractViolation.check(content == identities, rule)
    }
}
