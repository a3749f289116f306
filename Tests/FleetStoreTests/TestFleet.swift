// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import LoginValues
import MPinClient
import PersonalCards
import PostgreSQL
import PostgreSQLTestKit
import Synchronization

@testable import FleetStore

/// A database of a fleet's own, in a schema of the tests' server, and kiosks on it.
struct TestFleet {
    private static let count = Atomic<Int>(0)

    let schema = "people_\(TestFleet.count.add(1, ordering: .relaxed).newValue)"
    let folder: String
    let address: String
    let key: FleetKey

    /// - Parameter seed: of the fleet's key.
    init(_ address: String? = nil, seed: UInt8 = 7) throws {
        self.address = try address ?? PostgreSQLServer.shared.address
        folder = "\(NSTemporaryDirectory())/login-kiosk-fleet-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        guard let key = FleetKey(SecretBytes(copying: [UInt8](repeating: seed, count: FleetKey.length))) else {
            throw CocoaError(.featureUnsupported)
        }
        self.key = key
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func file(_ name: String) -> String { "\(folder)/\(name)" }

    /// A kiosk. With a name that was used before it is the same one, started anew.
    func kiosk(
        _ name: String = UUID().uuidString, _ key: FleetKey? = nil, caches: Bool = true, user: String? = nil
    ) throws -> FleetIdentityStorage {
        let settings = FleetIdentityStorage.Settings(
            file: file(name), cachesIdentities: caches, schema: schema, limit: .seconds(20))
        let address = user.map { self.address.replacing("user=tester", with: "user=\($0)") } ?? self.address
        return FleetIdentityStorage(
            at: try ServerTarget(address), key ?? self.key, settings,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// What the database's administrator does.
    @discardableResult
    func administrator(_ command: String, _ parameters: Parameter...) async throws -> Rows {
        let database = try await Database.opened(
            at: try ServerTarget(address),
            settings: Database.Settings(schema: schema, connections: 1, limit: .seconds(20)),
            migrations: IdentityTables.migrations)
        return try await database.run(Call(Statement(command), parameters: parameters))
    }

    func identity(_ userID: String, _ record: [UInt8], version: Int = 0) -> StoredIdentity {
        StoredIdentity(
            key: IdentityKey(userID: userID, backend: "backend.test"), record: SecretBytes(copying: record),
            version: version)
    }
}

/// What a call is refused for; nil when it is not.
func refusal(_ work: () async throws(IdentityStorageError) -> Void) async -> IdentityStorageError.Code? {
    do throws(IdentityStorageError) { try await work() } catch { return error.code }
    return nil
}
