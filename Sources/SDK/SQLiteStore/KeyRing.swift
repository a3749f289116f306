// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import LoginValues

/// The keys that a store's records may be sealed with: the key, and while the key is being changed the next one.
///
/// A database is sealed with one key at a time. The next key is on the disk before the database is sealed with it, and
/// becomes the key afterwards; so whenever the process ends, one of the two opens everything.
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

    /// - Returns: the key that opens `check`, with the format's version that it is sealed in.
    func key(for check: [UInt8]) -> (key: SecretBytes, version: UInt8)? {
        for key in all {
            for version in RecordSeal.versions
            where RecordSeal(key: key, version: version).open(check, context: SealContext.keyCheck) != nil {
                return (key, version)
            }
        }
        return nil
    }

    /// Leaves one key: the one that the database is sealed with. Ends what was cut off.
    func settle(on used: SecretBytes, in directory: borrowing PrivateDirectory) throws(StoreOpeningError) {
        // Of a next key that was not finished: it never sealed anything.
        try file.next.unfinished.remove(in: directory)
        guard let next else { return }
        if next == used { return try file.adoptNext(in: directory) }
        try file.next.remove(in: directory)
    }
}
