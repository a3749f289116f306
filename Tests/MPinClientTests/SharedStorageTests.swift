// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Synchronization
import Testing

/// Two clients on one store, as two kiosks on one database: what one changes the other one uses.
@Suite struct SharedStorageTests {
    private struct Pair {
        let storage: InMemoryStorage
        let first: MPin
        let second: MPin
        let user: User

        init(_ dialect: DialectName) async throws {
            let change = try await PINChange(dialect)
            storage = InMemoryStorage(try await change.storage.identities(), isShared: true)
            (first, second) = (try await change.client(storage), try await change.client(storage))
            user = change.user
        }
    }

    /// - Returns: how a login failed, nil when it did not.
    private func login(_ mpin: MPin, _ user: User, _ pin: String, isStarted: Bool = false) async throws -> MPinError
        .Kind?
    {
        do throws(MPinError) {
            if !isStarted { try await mpin.startAuthentication(of: user, accessCode: accessCode) }
            _ = try await mpin.finishAuthentication(of: user, pin: try? makePin(pin), accessCode: accessCode)
            return nil
        } catch { return error.kind }
    }

    private func changePIN(_ mpin: MPin, _ user: User, from old: String, to new: String) async throws {
        try await mpin.startAuthentication(of: user)
        _ = try await mpin.changePIN(of: user, from: makePin(old), to: makePin(new))
    }

    @Test(arguments: PINChange.dialects) func thePINOfOneIsThePINOfTheOther(_ dialect: DialectName) async throws {
        let pair = try await Pair(dialect)
        try await changePIN(pair.first, pair.user, from: "1234", to: "4321")
        #expect(try await login(pair.second, pair.user, "4321") == nil)
        #expect(try await login(pair.second, pair.user, "1234") == .wrongPIN)
        try await changePIN(pair.second, pair.user, from: "4321", to: "2580")
        #expect(try await login(pair.first, pair.user, "2580") == nil)
    }

    @Test(arguments: PINChange.dialects) func alsoWhileThePersonIsAsked(_ dialect: DialectName) async throws {
        let pair = try await Pair(dialect)
        try await pair.second.startAuthentication(of: pair.user, accessCode: accessCode)
        try await changePIN(pair.first, pair.user, from: "1234", to: "4321")
        #expect(try await login(pair.second, pair.user, "4321", isStarted: true) == nil)
    }

    @Test func whoWasChangedElsewhereMeanwhileIsNotDeleted() async throws {
        let pair = try await Pair(.milagro)
        try await changePIN(pair.first, pair.user, from: "1234", to: "4321")
        let refused = await #expect(throws: MPinError.self) { try await pair.second.deleteUser(pair.user) }
        #expect(refused?.kind == .storage(.changedElsewhere))
        #expect(try await login(pair.first, pair.user, "4321") == nil)
        // Who has seen what there is now, and still wants it, deletes it.
        try await pair.second.deleteUser(pair.user)
        #expect(try await pair.storage.identities().isEmpty)
    }

    @Test func whoIsDeletedAtOneIsGoneAtTheOther() async throws {
        let pair = try await Pair(.milagro)
        try await pair.first.deleteUser(pair.user)
        #expect(try await login(pair.second, pair.user, "1234") == .storage(.changedElsewhere))
        #expect(try await pair.second.users().isEmpty)
        #expect(try await pair.second.user(pair.user.key) == nil)
    }

    @Test func aListShowsWhoEnrolledElsewhere() async throws {
        let pair = try await Pair(.milagro)
        let stored = try #require(try await pair.storage.identities().first)
        let bob = IdentityKey(userID: "bob@example.com", backend: stored.key.backend)
        try await pair.storage.save(StoredIdentity(key: bob, record: stored.record))
        #expect(try await pair.second.users().map(\.key) == [stored.key, bob])
        #expect(try await pair.second.users().map(\.number) == [1, 2])
        // One whose record cannot be read keeps no other person from anything.
        let carol = IdentityKey(userID: "carol@example.com", backend: stored.key.backend)
        try await pair.storage.save(StoredIdentity(key: carol, record: SecretBytes(copying: [1, 2, 3])))
        #expect(try await pair.second.users().map(\.key) == [stored.key, bob])
    }

    /// The other client's save comes between the last look and this one's.
    @Test(arguments: PINChange.dialects) func aLaterSaveIsNotOverwritten(_ dialect: DialectName) async throws {
        let pair = try await Pair(dialect)
        let (storage, mpin, user) = (pair.storage, pair.second, pair.user)
        let original = try #require(try await storage.identities().first)
        try await changePIN(pair.first, user, from: "1234", to: "4321")
        try await mpin.startAuthentication(of: user)
        storage.beforeNextSave {
            storage.replace(StoredIdentity(key: original.key, record: original.record, number: original.number))
        }
        do throws(MPinError) {
            _ = try await mpin.changePIN(of: user, from: try? makePin("4321"), to: try? makePin("2580"))
            Issue.record("it was saved")
        } catch { #expect(error.kind == .storage(.changedElsewhere)) }
        #expect(try await storage.identities().first?.record == original.record)
        // It knows what stands there now, and goes on with it.
        #expect(try await login(mpin, user, "1234") == nil)
        try await changePIN(mpin, user, from: "1234", to: "2580")
        #expect(try await login(pair.first, user, "2580") == nil)
    }

    /// The connection ended in the middle of the save: nothing is promised that may not be so.
    @Test(arguments: PINChange.dialects) func aSaveThatMayHaveHappened(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let storage = InMemoryStorage(try await change.storage.identities(), isShared: true)
        let mpin = try await change.client(storage)
        try await mpin.startAuthentication(of: change.user)
        storage.beforeNextSave { storage.failure = IdentityStorageError(.outcomeUnknown, detail: "cut off") }
        do {
            _ = try await mpin.changePIN(of: change.user, from: makePin("1234"), to: makePin("4321"))
            Issue.record("it was saved")
        } catch let error as MPinError {
            #expect(error.outcomeIsUnknown && error.kind == .outcomeUnknown)
            #expect(!error.detail.contains("goes on working"))
        }
        storage.failure = nil
        #expect(try await login(mpin, change.user, "1234") == nil)
    }

    @Test func aStoreThatIsAwayAtTheStartIsLookedIntoAgain() async throws {
        let change = try await PINChange(.milagro)
        let storage = InMemoryStorage(try await change.storage.identities(), isShared: true)
        storage.failure = IdentityStorageError(.unavailable, detail: "no server")
        let mpin = try await change.client(storage)
        await #expect(throws: MPinError.self) { _ = try await mpin.users() }
        storage.failure = nil
        #expect(try await mpin.users().map(\.key) == [change.user.key])
        #expect(try await login(mpin, change.user, "1234") == nil)
        // Away in the middle: nothing is judged, and nothing is counted.
        try await mpin.startAuthentication(of: change.user, accessCode: accessCode)
        storage.failure = IdentityStorageError(.unavailable, detail: "no server")
        #expect(try await login(mpin, change.user, "9999", isStarted: true) == .storage(.unavailable))
    }
}
