// SPDX-License-Identifier: Apache-2.0

import GRDB
import MPinClient

/// The meaning of a database error for the store's callers.
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
        // Damage also causes text that SQLite does not understand, and rows that break the tables' rules.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT,
            .SQLITE_FORMAT:
            (code, detail) = (.damaged, "\(text): restart to have what can be read rescued")
        case .SQLITE_FULL: (code, detail) = (.full, "\(text): free some space")
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
            (code, detail) = (
                .unavailable,
                "\(text): the last change was cut off and cannot be undone on a medium that is read-only: "
                    + "make it writable, or copy the directory to one that is"
            )
        case .SQLITE_READONLY: (code, detail) = (.unavailable, "\(text): make the medium writable")
        default: (code, detail) = (.unavailable, text)
        }
    }
}
