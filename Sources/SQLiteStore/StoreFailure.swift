// SPDX-License-Identifier: Apache-2.0

import GRDB
import MPinClient

/// What an error of the database means to the store's callers.
struct StoreFailure {
    let code: IdentityStorageError.Code
    let detail: String

    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            (code, detail) = (.unavailable, "\(error)")
            return
        }
        let text = "\(error.message ?? "no text") (SQLite code \(error.extendedResultCode.rawValue))"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            (code, detail) = (.damaged, "\(text): restart to have the file moved aside")
        case .SQLITE_FULL: (code, detail) = (.unavailable, "\(text): free some space")
        case .SQLITE_READONLY: (code, detail) = (.unavailable, "\(text): make the medium writable")
        default: (code, detail) = (.unavailable, text)
        }
    }
}
