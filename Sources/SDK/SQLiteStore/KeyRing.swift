// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import LoginValues

/// The keys that may open a store's records: the key, and while it is being changed the next one.
///
/// A database is sealed with one key at a time. The next key is on the disk before the database is sealed with it, and
/// becomes the key afterwards. So whenever the process ends, one of the two opens everything.
struct KeyRing {
    let key: SecretBytes?
    let next: SecretBytes?
    private let file: KeyFile

    init(at location: StoreLocation) throws(StoreOpeningError) {
        file = KeyFile(path: location.keyFile)
        key = try file.load()
        next = try file.next.load()
    }

    var all: [SecretBytes] { [key, next].compactMap(\.self) }

    /// - Returns: the key that opens `check`, with the version of the format in which it is sealed.
    func key(for check: [UInt8]) -> (key: SecretBytes, version: UInt8)? {
        for key in all {
            for version in RecordSeal.versions
            where RecordSeal(key: key, version: version).open(check, context: SealContext.keyCheck) != nil {
                return (key, version)
            }
        }
        return nil
    }

    /// Keeps only the key that the database is sealed with. Finishes a change of keys that was cut off.
    func settle(on used: SecretBytes, in directory: borrowing PrivateDirectory) throws(StoreOpeningError) {
        // An unfinished next key has sealed nothing.
        try file.next.unfinished.remove(in: directory)
        guard let next else { return }
        if next == used { return try file.adoptNext(in: directory) }
        try file.next.remove(in: directory)
    }
}
