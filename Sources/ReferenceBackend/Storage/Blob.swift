// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension [UInt8] {
    /// These bytes as SQLite stores them.
    var databaseBlob: Data { Data(self) }
}

extension Row {
    /// The bytes of a BLOB column.
    func bytes(_ column: String) -> [UInt8] { [UInt8](self[column] as Data) }
}
