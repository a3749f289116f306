// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The paths of a store. Both belong to the user who runs the kiosk, and to no other local user.
public struct StoreLocation: Sendable, Equatable {
    /// The database's directory; made when it is missing. One store a directory.
    public var directory: String
    /// The file with the 32 bytes of the sealing key; made when it and the database are missing. Must not be within
    /// `directory`, so that a copy of the database is not a copy of the key.
    public var keyFile: String

    /// Makes paths, which are checked when the store is opened.
    ///
    /// - Parameters:
    ///   - directory: path of the database's directory.
    ///   - keyFile: path of the file with the sealing key, outside `directory`.
    public init(directory: String, keyFile: String) {
        self.directory = directory
        self.keyFile = keyFile
    }

    /// The file with the identities.
    public var database: String { "\(directory)/identities.sqlite" }

    var keyDirectory: String { PrivateDirectory.parent(of: keyFile) }

    /// The database that a restore prepares to replace the current one.
    public var replacement: String { database + ".restored" }

    /// Removes a prepared database that was not activated.
    public func removeReplacement() { StoreLocation.removeDatabase(replacement) }

    static func removeDatabase(_ path: String) { for name in [path, path + "-journal"] { unsafe unlink(name) } }
}
