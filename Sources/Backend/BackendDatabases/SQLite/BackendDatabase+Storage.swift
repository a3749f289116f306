// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Foundation
import GRDB
import MPinCrypto
import MPinServer

/// The durable part of the storage in SQLite. Each call is one transaction, and one connection writes.
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

    func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity? {
        try await read { try RegisteredIdentity.find(mpinID, in: $0) }
    }

    func identities(_ selection: IdentitySelection?) async throws(StorageError) -> [RegisteredIdentity] {
        try await read { try RegisteredIdentity.all(selection, in: $0) }
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

    func change<Value: Sendable>(
        _ mpinID: MPinID, isOnDisk: Bool, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws(StorageError) -> Value? {
        try await write(isOnDisk: isOnDisk) { database in
            guard let known = try RegisteredIdentity.find(mpinID, in: database) else { return nil }
            var identity = known
            let value = body(&identity)
            if let replaced = known.replaces, identity.replaces == nil {
                try database.execute(
                    sql: "DELETE FROM identity WHERE mpinID = ?", arguments: [replaced.databaseBlob])
            }
            try identity.updateChanges(database, from: known)
            return value
        }
    }

    func registration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Registration? {
        try await read { try Registration.find(mpinID, in: $0, now: now) }
    }

    func registrations(now: WallTime) async throws(StorageError) -> [Registration] {
        try await read { try Registration.all(in: $0, now: now) }
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

    func change(
        registrationOf mpinID: MPinID, now: WallTime, _ body: @escaping @Sendable (inout Registration) -> Void
    ) async throws(StorageError) -> Registration? {
        try await write { database in
            guard let known = try Registration.find(mpinID, in: database, now: now) else { return nil }
            var registration = known
            body(&registration)
            try registration.updateChanges(database, from: known)
            return registration
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
}
