// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MPinClient

/// The reason why a store cannot be used at all. Nothing on the disk has changed, except that missing directories were
/// made.
public struct StoreOpeningError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable {
        /// Another process has the store.
        case inUse
        /// Other users could read or replace a file.
        case notPrivate
        /// The key would be beside the database that it protects.
        case keyBesideDatabase
        /// There are identities, but no key file.
        case keyMissing
        /// The key file has the wrong form, or its key did not seal the identities.
        case wrongKey
        /// A later version of this program changed the database.
        case newerSchema
        /// The database is older than the last one written here.
        case olderDatabase
        /// The database cannot be read, and this access may not replace it.
        case damaged
        /// The medium is missing, full, read-only, failing, or not permitted.
        case unavailable
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, its place and the remedy.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// - Parameter what: names the file among the store's files.
    init(_ fault: FileFault, _ what: String) {
        let code: Code =
            switch fault.cause {
            case .foreignOwner, .changeable, .readable: .notPrivate
            case .wrongKind, .tooLong, .danglingLink, .tooManyLinks, .missing, .locked, .refused: .unavailable
            }
        self.init(code, "\(what) \(fault): \(fault.hint)")
    }

    /// Translates a database error at `path` for the caller that opens the store.
    init(_ error: any Error, _ path: String) {
        if let error = error as? StoreOpeningError {
            self = error
        } else if let fault = error as? FileFault {
            self.init(fault, "the database")
        } else {
            let failure = StoreFailure(error)
            self.init(failure.code == .damaged ? .damaged : .unavailable, "\(path): \(failure.detail)")
        }
    }
}
