// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import MPinClient

@testable import SQLiteStore

/// A place for a store, gone with this object.
final class TemporaryStore {
    let root: String
    let location: StoreLocation

    init() {
        root = FileManager.default.temporaryDirectory.appending(path: "kiosk-store-\(UUID().uuidString)").path
        location = StoreLocation(directory: "\(root)/state", keyFile: "\(root)/keys/store.key")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Makes a directory of the place that is this user's alone, whatever the umask of the moment is.
    func makeDirectory(_ name: String = "") throws {
        for path in [root, "\(root)/\(name)"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// Every file of the store with its bytes.
    var files: [String: Data] {
        let names = FileManager.default.subpaths(atPath: root) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                (try? Data(contentsOf: URL(fileURLWithPath: "\(root)/\(name)"))).map { (name, $0) }
            })
    }

    func mode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
    }
}

func identity(
    _ userID: String, _ record: [UInt8], backend: String = "mpin.example.com", number: Int = 1
) -> StoredIdentity {
    StoredIdentity(
        key: IdentityKey(userID: userID, backend: backend), record: SecretBytes(copying: record), number: number)
}

/// Opens a store again as soon as the one before has let go of its lock, which its last reading may hold for a moment.
func reopened(_ location: StoreLocation) async throws -> SQLiteIdentityStorage {
    while true {
        do throws(StoreOpeningError) { return try SQLiteIdentityStorage(at: location) } catch {
            guard error.code == .inUse else { throw error }
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}

func openingError(_ location: StoreLocation, _ access: SQLiteIdentityStorage.Access = .exclusive) -> StoreOpeningError?
{
    do throws(StoreOpeningError) {
        _ = try SQLiteIdentityStorage(at: location, access)
        return nil
    } catch { return error }
}

func storageError(_ body: () async throws(IdentityStorageError) -> Void) async -> IdentityStorageError? {
    do throws(IdentityStorageError) {
        try await body()
        return nil
    } catch { return error }
}
