// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxSystem

extension SQLiteIdentityStorage {
    /// Result of destroying a store's keys.
    public enum Erasure: Sendable {
        /// The sealed records cannot be opened any more.
        case unreadable
        /// The key's directory is not writable, as with a credential: only the database is gone.
        case keyRemains
    }

    /// Destroys the keys, so that no identity can be read any more. ``erase(at:)`` removes the rest. An open store
    /// keeps working until it is closed.
    public static func destroyKeys(at location: StoreLocation) throws(StoreOpeningError) -> Erasure {
        let file = KeyFile(path: location.keyFile)
        if unsafe access(location.keyDirectory, F_OK) != 0, errno == ENOENT { return .unreadable }
        guard unsafe access(location.keyDirectory, W_OK) == 0 else {
            return unsafe access(location.keyFile, F_OK) == 0 ? .keyRemains : .unreadable
        }
        // First the key that sealed everything.
        for key in [file, file.next, file.unfinished, file.next.unfinished] { try key.destroy() }
        return .unreadable
    }

    /// Removes a whole store: keys, database, damaged databases, counters. If it is cut off it may be called again.
    ///
    /// - Throws: `inUse` when a kiosk runs with it; `unavailable` when a file remains.
    @discardableResult
    public static func erase(at location: StoreLocation) throws(StoreOpeningError) -> Erasure {
        guard unsafe access(location.directory, F_OK) == 0 || errno != ENOENT else {
            return try destroyKeys(at: location)
        }
        let directory = try lockedDirectory(location)
        let erasure = try destroyKeys(at: location)
        let database = location.database.dropFirst(location.directory.count + 1)
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: location.directory) } catch {
            throw StoreOpeningError(.unavailable, "the directory \(location.directory) cannot be read")
        }
        for name in names where name.hasPrefix(database) || name == "identities.counter" {
            try remove("\(location.directory)/\(name)")
        }
        try directory.sync()
        try remove(location.keyFile + ".counter", mayStay: erasure == .keyRemains)
        return erasure
    }

    /// - Throws: `inUse` when a kiosk runs with the store.
    public static func requireUnused(at location: StoreLocation) throws(StoreOpeningError) {
        if unsafe access(location.directory, F_OK) != 0, errno == ENOENT { return }
        _ = try lockedDirectory(location)
    }

    fileprivate static func lockedDirectory(_ location: StoreLocation) throws(StoreOpeningError) -> PrivateDirectory {
        let directory = try PrivateDirectory(location.directory, creating: false)
        try directory.requirePrivate()
        guard directory.lock() else {
            throw StoreOpeningError(.inUse, "the identities in \(location.directory) are in use by another process")
        }
        return directory
    }

    private static func remove(_ path: String, mayStay: Bool = false) throws(StoreOpeningError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT || mayStay else {
            throw StoreOpeningError(.unavailable, "\(path) cannot be removed: \(systemErrorText())")
        }
    }
}

/// Keeps every other process from the store during its lifetime, without reading it.
public final class StoreLock: Sendable {
    private let directory: PrivateDirectory

    /// - Throws: `inUse` when a kiosk runs with the store.
    public init(at location: StoreLocation) throws(StoreOpeningError) {
        directory = try SQLiteIdentityStorage.lockedDirectory(location)
    }
}

extension KeyFile {
    fileprivate func destroy() throws(StoreOpeningError) {
        do throws(FileFault) { try OwnedFile.destroy(path) } catch { throw StoreOpeningError(error, "the key file") }
    }
}
