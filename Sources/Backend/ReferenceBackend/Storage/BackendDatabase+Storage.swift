// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MPinCrypto

/// The durable part of the storage in SQLite: each call one transaction, and there is one connection that writes.
extension BackendDatabase: DurableStorage {
    func belongs(toServerSecret digest: [UInt8]) async throws(StorageError) -> Bool {
        let found = Data(digest)
        return try await write { database in
            try database.execute(
                sql: "INSERT INTO serverSecret SELECT ? WHERE NOT EXISTS (SELECT * FROM serverSecret)",
                arguments: [found])
            return try Data.fetchOne(database, sql: "SELECT digest FROM serverSecret") == found
        }
    }

    nonisolated(nonsending) func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity? {
        try lookUp { try RegisteredIdentity.find(mpinID, in: $0) }
    }

    nonisolated(nonsending) func isRevoked(_ mpinID: MPinID) async throws(StorageError) -> Bool {
        try lookUp { try mpinID.isRevoked(in: $0) }
    }

    nonisolated(nonsending) func standing(
        of mpinID: MPinID
    ) async throws(StorageError) -> (identity: RegisteredIdentity, isRevoked: Bool)? {
        try lookUp { try RegisteredIdentity.findStanding(mpinID, in: $0) }
    }

    func add(_ identity: RegisteredIdentity) async throws(StorageError) {
        try await write { database in try Self.insert(identity, into: database) }
    }

    private static func insert(_ identity: RegisteredIdentity, into database: Database) throws {
        if let replaces = identity.replaces {
            try database.execute(
                sql: "DELETE FROM identity WHERE replaces = ?", arguments: [replaces.databaseBlob])
        }
        try identity.insert(database)
    }

    func expect(publicKey: [UInt8], of mpinID: MPinID) async throws(StorageError) -> Bool {
        try await write { database in
            guard var identity = try RegisteredIdentity.find(mpinID, in: database) else { return false }
            identity.nextPublicKey = publicKey
            try identity.update(database)
            return true
        }
    }

    func settle(publicKey: [UInt8]?, of mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity? {
        try await write { database in
            guard var identity = try RegisteredIdentity.find(mpinID, in: database) else { return nil }
            let replaced = identity.replaces
            guard identity.settle(publicKey: publicKey) else { return nil }
            if let replaced {
                try database.execute(
                    sql: "DELETE FROM identity WHERE mpinID = ?", arguments: [replaced.databaseBlob])
            }
            try identity.update(database)
            return identity
        }
    }
}

/// Registrations, and what operators do.
extension BackendDatabase {
    nonisolated(nonsending) func registration(
        of mpinID: MPinID, now: WallTime
    ) async throws(StorageError) -> Registration? {
        try lookUp { try Registration.find(mpinID, in: $0, now: now) }
    }

    func add(_ registration: Registration, now: WallTime) async throws(StorageError) -> Bool {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM registration WHERE expires <= ?", arguments: [now.milliseconds])
            guard try Registration.count(in: database, now: now) < Registration.capacity else { return false }
            try registration.insert(database)
            return true
        }
    }

    func extend(_ registration: Registration, now: WallTime) async throws(StorageError) -> Registration? {
        try await write { database in
            guard var current = try Registration.find(registration.mpinID, in: database, now: now) else { return nil }
            current.active = current.active || registration.active
            current.expires = registration.expires
            try current.update(database)
            return current
        }
    }

    func activateRegistration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Bool {
        try await write { database in
            guard var registration = try Registration.find(mpinID, in: database, now: now) else { return false }
            registration.active = true
            try registration.update(database)
            return true
        }
    }

    func finishRegistration(as identity: RegisteredIdentity, now: WallTime) async throws(StorageError) -> Bool {
        try await write { database in
            guard let registration = try Registration.find(identity.mpinID, in: database, now: now),
                registration.active
            else { return false }
            try registration.delete(database)
            try Self.insert(identity, into: database)
            return true
        }
    }

    func listing(now: WallTime) async throws(StorageError) -> Listing {
        try await read { database in
            Listing(
                identities: try RegisteredIdentity.fetchAll(database).map { ($0, try $0.isRevoked(in: database)) },
                registrations: try Registration.all(in: database, now: now))
        }
    }

    func revoke(_ selection: IdentitySelection, now: WallTime) async throws(StorageError) -> Int {
        try await write { database in
            let identities = try RegisteredIdentity.all(selection, in: database)
            for identity in identities {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO revocation (mpinID, revoked) VALUES (?, ?)",
                    arguments: [identity.mpinID.databaseBlob, now.milliseconds])
                try Self.dropCard(of: identity.mpinID, in: database)
            }
            return identities.count
        }
    }

    func requestRenewal(of selection: IdentitySelection) async throws(StorageError) -> Int {
        try await change(selection) { identity in
            guard identity.canRenew else { return false }
            identity.needsRenewal = true
            return true
        }
    }

    func forgetFailures(of selection: IdentitySelection) async throws(StorageError) -> Int {
        try await change(selection) { identity in
            identity.forgetFailures()
            return true
        }
    }

    /// - Parameter body: says whether the identity is one that is changed.
    private func change(
        _ selection: IdentitySelection, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Bool
    ) async throws(StorageError) -> Int {
        try await write { database in
            var count = 0
            for var identity in try RegisteredIdentity.all(selection, in: database) {
                guard body(&identity) else { continue }
                try identity.update(database)
                count += 1
            }
            return count
        }
    }

    func activateRegistrations(of selection: IdentitySelection, now: WallTime) async throws(StorageError) -> Int {
        try await write { database in
            var count = 0
            for var registration in try Registration.all(in: database, now: now)
            where registration.userID == selection.userID && selection.contains(registration.mpinID) {
                registration.active = true
                try registration.update(database)
                count += 1
            }
            return count
        }
    }
}

/// The counters, for the ``EmbeddedLedger``.
extension BackendDatabase {
    func countBeginning(of mpinID: MPinID, forgotten: WallTime) async throws(StorageError) {
        try await writeQuickly { database in
            guard var identity = try RegisteredIdentity.find(mpinID, in: database) else { return }
            identity.begunForgotten = forgotten
            try identity.updateCounters(in: database)
        }
    }

    func settle(_ verdict: LoginVerdict, of mpinID: MPinID) async throws(StorageError) -> SettledLogin {
        // A device does not wait for the disk to hear of a right PIN.
        verdict.isRight
            ? try await writeQuickly { try Self.settle(verdict, of: mpinID, in: $0) }
            : try await write { try Self.settle(verdict, of: mpinID, in: $0) }
    }

    private static func settle(
        _ verdict: LoginVerdict, of mpinID: MPinID, in database: Database
    ) throws -> SettledLogin {
        guard let standing = try RegisteredIdentity.findStanding(mpinID, in: database), !standing.identity.isBlocked
        else { return SettledLogin(identity: nil, isRevoked: try mpinID.isRevoked(in: database)) }
        var identity = standing.identity
        identity.settle(verdict)
        try identity.updateCounters(in: database)
        return SettledLogin(identity: identity, isRevoked: standing.isRevoked)
    }
}
