// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MPinClient

/// Why a store cannot be used at all. Nothing on the disk was changed then, except that missing directories were made.
public struct StoreOpeningError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable {
        /// Another process has the store.
        case inUse
        /// Other users could read or replace a file.
        case notPrivate
        /// The key would lie beside what it protects.
        case keyBesideDatabase
        /// There are identities, and the key file is gone.
        case keyMissing
        /// The key file has the wrong form, or holds another key than the one the identities were sealed with.
        case wrongKey
        /// A later version of this program changed the database.
        case newerSchema
        /// The database is an older one than the one that was last written here.
        case olderDatabase
        /// The database cannot be read, and this opening may not replace it.
        case damaged
        /// The medium: missing, full, read-only, failing, or not permitted.
        case unavailable
    }

    public let code: Code
    /// The failure, its place and the remedy.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// - Parameter what: which of the store's files it is.
    init(_ fault: FileFault, _ what: String) {
        let code: Code =
            switch fault.cause {
            case .foreignOwner, .changeable, .readable: .notPrivate
            case .wrongKind, .tooLong, .danglingLink, .tooManyLinks, .missing, .locked, .refused: .unavailable
            }
        self.init(code, "\(what) \(fault): \(fault.hint)")
    }

    /// Translates an error of the database at `path` for the caller that opens it.
    init(_ error: any Error, _ path: String) {
        if let error = error as? StoreOpeningError {
            self = error
        } else {
            let failure = StoreFailure(error)
            self.init(failure.code == .damaged ? .damaged : .unavailable, "\(path): \(failure.detail)")
        }
    }
}
