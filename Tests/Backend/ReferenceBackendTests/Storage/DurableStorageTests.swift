// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import MPinCrypto
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The contract of the durable part of every storage.
@Suite struct DurableStorageTests {
    private let now = WallTime(seconds: 1000)
    private let state = TemporaryFolder()

    private func identity(
        _ number: UInt8, of userID: String = "alice", key: [UInt8]? = nil, replacing replaced: UInt8? = nil
    ) -> RegisteredIdentity {
        RegisteredIdentity(
            mpinID: MPinID([number]), userID: userID, registered: now, publicKey: key,
            replaces: replaced.map { MPinID([$0]) })
    }

    private func settle(
        _ key: [UInt8]?, _ number: UInt8, in storage: any DurableStorage
    ) async throws -> RegisteredIdentity? {
        try await storage.change(MPinID([number])) { $0.settle(publicKey: key) ? $0 : nil } ?? nil
    }

    private func activate(_ number: UInt8, in storage: any DurableStorage, now: WallTime) async throws -> Bool {
        try await storage.change(registrationOf: MPinID([number]), now: now, { $0.active = true }) != nil
    }

    private func registration(_ number: UInt8, of userID: String = "alice") throws -> Registration {
        Registration(
            mpinID: MPinID([number]), userID: userID, mobile: 1, regOTT: try .random(), activateKey: "key",
            expires: now + Registration.lifetime)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func keepsIdentities(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        var all = identity(2, of: "zo\u{eb}", key: Array(repeating: 7, count: 128), replacing: 1)
        all.nextPublicKey = Array(repeating: 8, count: 128)
        all.needsRenewal = true
        (all.failures, all.lastFailure, all.begunForgotten, all.verdicts) = (2, now, now + .seconds(30), 5)
        (all.revoked, all.card) = (now, StoredCard(issued: now, ends: now + .seconds(60)))
        all.lease = LoginLease(number: .max, ends: now)
        for identity in [identity(1), all] { try await storage.add(identity) }
        // A second opening of the same storage finds the same.
        let again = try kind.open(in: state).durable
        for storage in [storage, again] {
            #expect(try await storage.identity(MPinID([1])) == identity(1))
            #expect(try await storage.identity(MPinID([2])) == all)
            #expect(try await storage.identity(MPinID([3])) == nil)
        }
        await #expect(throws: StorageError.self) { try await storage.add(identity(1, of: "mallory")) }
        #expect(try await storage.identity(MPinID([1])) == identity(1))
    }

    /// Of several that start at the same moment one is the first.
    @Test(arguments: StorageUnderTest.allCases)
    func belongsToOneServerSecret(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        let owners = try await together(8) { number -> UInt8? in
            try await storage.belongs(toServerSecret: [UInt8(number)]) ? UInt8(number) : nil
        }.compactMap { $0 }
        try #require(owners.count == 1)
        let again = try kind.open(in: state).durable
        for number: UInt8 in 0..<8 {
            let belongs = try await again.belongs(toServerSecret: [number])
            #expect(belongs == (number == owners[0]))
        }
    }

    @Test(arguments: StorageUnderTest.allCases)
    func aNewIdentityTakesAPlace(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        try await storage.add(identity(1))
        try await storage.add(identity(2, replacing: 1))
        // Another one that is to take the same place: the unused one goes.
        try await storage.add(identity(3, replacing: 1))
        #expect(try await storage.identity(MPinID([2])) == nil)
        #expect(try await storage.identity(MPinID([1])) != nil)
        let settled = try await settle(nil, 3, in: storage)
        #expect(settled?.replaces == nil && settled?.userID == "alice")
        #expect(try await storage.identity(MPinID([1])) == nil)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func aNewKeyTakesAPlace(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        let (old, new): ([UInt8], [UInt8]) = (Array(repeating: 1, count: 128), Array(repeating: 2, count: 128))
        try await storage.add(identity(1, key: old))
        #expect(try await settle(new, 1, in: storage) == nil)
        #expect(try await storage.change(MPinID([1])) { $0.nextPublicKey = new } != nil)
        #expect(try await storage.change(MPinID([9])) { $0.nextPublicKey = new } == nil)
        #expect(try await settle(old, 1, in: storage)?.nextPublicKey == new)
        let settled = try await settle(new, 1, in: storage)
        #expect(settled?.publicKey == new && settled?.nextPublicKey == nil && settled?.needsRenewal == false)
        #expect(try await settle(old, 1, in: storage) == nil)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func aRegistrationBecomesAnIdentityOnce(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        let begun = try registration(1)
        #expect(try await storage.add(begun, now: now))
        #expect(try await storage.registration(of: begun.mpinID, now: now) == begun)
        #expect(try await storage.finishRegistration(as: identity(1), now: now) == false)
        #expect(try await activate(1, in: storage, now: now))
        #expect(try await activate(9, in: storage, now: now) == false)
        let later = begun.expires + .seconds(60)
        let extended = try await storage.change(registrationOf: begun.mpinID, now: now) { $0.expires = later }
        #expect(extended?.active == true && extended?.expires == later)
        let (identity, now) = (identity(1), now)
        let finished = try await together(10) { _ in try await storage.finishRegistration(as: identity, now: now) }
        #expect(finished.count { $0 } == 1)
        #expect(try await storage.registration(of: begun.mpinID, now: now) == nil)
        #expect(try await activate(1, in: storage, now: now) == false)
        #expect(try await storage.identity(begun.mpinID) == identity)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func registrationsEnd(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        let begun = try registration(1)
        #expect(try await storage.add(begun, now: now))
        let end = now + Registration.lifetime
        #expect(try await storage.registration(of: begun.mpinID, now: end) == nil)
        #expect(try await activate(1, in: storage, now: end) == false)
        #expect(try await storage.registrations(now: end).isEmpty)
        // The same mpin_id may begin again.
        #expect(try await storage.add(begun, now: end))
    }

    @Test(arguments: StorageUnderTest.allCases)
    func keepsApplications(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        func application(_ id: String, _ name: String, secret: [UInt8]?) -> RegisteredApplication {
            RegisteredApplication(
                id: id, name: name, redirectURIs: ["https://a.example/", "https://b.example/?x=1"],
                postLogoutURIs: secret == nil ? [] : ["https://a.example/bye", "https://b.example/"],
                secretDigest: secret, added: now)
        }
        let (zoo, shop) = (application("1", "Zo\u{eb}", secret: [7]), application("2", "Shop", secret: nil))
        for application in [zoo, shop] { #expect(try await storage.add(application)) }
        #expect(try await storage.add(application("3", "Shop", secret: nil)) == false)
        // A second opening of the same storage finds the same.
        let again = try kind.open(in: state).durable
        #expect(try await again.application("1") == zoo)
        #expect(try await again.application("3") == nil)
        #expect(try await again.applications() == [shop, zoo])
        #expect(try await storage.replaceSecret(ofApplication: "1", with: [8]))
        for id in ["2", "3"] { #expect(try await storage.replaceSecret(ofApplication: id, with: [8]) == false) }
        #expect(try await again.application("1")?.secretDigest == [8])
        #expect(try await again.application("2")?.secretDigest == nil)
        #expect(try await storage.removeApplication("2"))
        #expect(try await storage.removeApplication("2") == false)
        for number in 2...RegisteredApplication.capacity {
            #expect(try await storage.add(application("n\(number)", "Number \(number)", secret: nil)))
        }
        #expect(try await storage.add(application("one more", "One more", secret: nil)) == false)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func operatorsSelect(_ kind: StorageUnderTest) async throws {
        let storage = try kind.open(in: state).durable
        for (number, userID) in [(1, "bob"), (2, "alice"), (3, "alice"), (4, "Alice")] as [(UInt8, String)] {
            try await storage.add(identity(number, of: userID))
            _ = try await storage.add(try registration(number + 10, of: userID), now: now)
        }
        #expect(try await storage.revoke(IdentitySelection(userID: "alice"), now: now) == 2)
        #expect(try await storage.revoke(IdentitySelection(userID: "alice"), now: now) == 2)
        #expect(try await storage.revoke(IdentitySelection(userID: "carol"), now: now) == 0)
        let all = try await storage.identities(nil).sorted { $0.mpinID.bytes[0] < $1.mpinID.bytes[0] }
        #expect(all.map(\.isRevoked) == [false, true, true, false])
        let one = IdentitySelection(userID: "alice", fingerprint: MPinID([2]).fingerprint)
        #expect(try await storage.identities(one).map(\.mpinID) == [MPinID([2])])
        #expect(try await storage.change(all: one) { _ in false } == 0)
        #expect(
            try await storage.change(all: one) {
                $0.needsRenewal = true; return true
            } == 1)
        #expect(try await storage.identities(nil).filter(\.needsRenewal).map(\.mpinID) == [MPinID([2])])
        #expect(try await storage.registrations(now: now).count == 4)
    }

    @Test(arguments: StorageUnderTest.allCases)
    func erasesOneUser(_ kind: StorageUnderTest) async throws {
        let all = try kind.open(in: state)
        let storage = all.durable
        for (number, userID) in [(1, "bob"), (2, "alice"), (3, "alice"), (4, "Alice")] as [(UInt8, String)] {
            try await storage.add(identity(number, of: userID))
            _ = try await storage.add(try registration(number + 10, of: userID), now: now)
        }
        let bounds = TableQuota()
        let sessions = all.volatile.table("sessions", bounds: bounds, of: String.self, String.self)
        for user in ["alice", "bob"] {
            _ = try await sessions.insert(
                "of \(user)", for: user, of: .person(user), expires: now + .seconds(60), now: now)
        }
        #expect(try await storage.erase(userID: "alice") == ErasedUser(identities: 2, registrations: 2))
        #expect(try await storage.erase(userID: "alice") == ErasedUser(identities: 0, registrations: 0))
        #expect(try await storage.identities(nil).map(\.userID).sorted() == ["Alice", "bob"])
        #expect(try await storage.registrations(now: now).map(\.userID).sorted() == ["Alice", "bob"])
        // The memory of another process is its own.
        let left = try await sessions.values(now: now).sorted()
        #expect(left == (kind == .postgreSQL ? ["of bob"] : ["of alice", "of bob"]))
    }
}
