// SPDX-License-Identifier: Apache-2.0

import GRDB
import Glibc

extension SQLiteIdentityStorage {
    /// Seals every record with a new key, and keeps no other.
    ///
    /// It may be cut off anywhere: the next key is on the disk before one transaction seals the database with it, and
    /// replaces the old one afterwards. Opening the store finishes the change.
    ///
    /// - Returns: the number of identities that were sealed again.
    /// - Throws: as opening the store does; `unavailable` also when the key's directory is not writable.
    @discardableResult
    public static func rotateKey(at location: StoreLocation) throws(StoreOpeningError) -> Int {
        try rotateKey(at: location) {}
    }

    /// - Parameter atStep: called before every statement and every change of a file.
    static func rotateKey(at location: StoreLocation, atStep: () -> Void) throws(StoreOpeningError) -> Int {
        let store = try SQLiteIdentityStorage(at: location)
        let directory = try PrivateDirectory(location.keyDirectory, creating: false)
        guard unsafe access(location.keyDirectory, W_OK) == 0, let old = store.seal else {
            throw StoreOpeningError(
                .unavailable,
                "the key \(location.keyFile) lies where nothing can be written, as a credential does: "
                    + "docs/deployment.md#keys-on-this-machines-tpm describes how to change that one")
        }
        atStep()
        let file = KeyFile(path: location.keyFile)
        let seal = RecordSeal(key: try file.next.create())
        let sealed: (count: Int, header: StoreHeader)
        do {
            sealed = try store.queue.write { db in try sealAgain(db, from: old, to: seal, atStep: atStep) }
        } catch { throw StoreOpeningError(error, location.database) }
        atStep()
        try file.adoptNext(in: directory)
        atStep()
        try? StoreCounter(of: location).save(sealed.header)
        return sealed.count
    }

    private static func sealAgain(
        _ db: Database, from old: RecordSeal, to seal: RecordSeal, atStep: () -> Void
    ) throws -> (count: Int, header: StoreHeader) {
        atStep()
        var header = try StoreHeader.load(old, db)
        var count = 0
        for row in try StoredRow.all(db) {
            // A record that does not open stays lost under the new key.
            guard let content = row.unsealed(old) else { continue }
            atStep()
            try content.save(replacing: row.id, seal, db)
            count += 1
        }
        atStep()
        try StoreHeader.noteKey(seal, db)
        atStep()
        header.generation += 1
        try header.save(seal, db)
        atStep()
        return (count, header)
    }
}
