// SPDX-License-Identifier: Apache-2.0

/// Where a store lives. Both paths belong to the user that runs the kiosk, and to no other local user.
public struct StoreLocation: Sendable, Equatable {
    /// The database's directory; made when it is missing. One store a directory.
    public var directory: String
    /// The file with the 32 bytes of the sealing key; made when it and the database are missing. Must not be within
    /// `directory`, so that a copy of the database is not a copy of the key.
    public var keyFile: String

    public init(directory: String, keyFile: String) {
        self.directory = directory
        self.keyFile = keyFile
    }

    var databaseFile: String { "\(directory)/identities.sqlite" }

    var keyDirectory: String { PrivateDirectory.parent(of: keyFile) }
}
