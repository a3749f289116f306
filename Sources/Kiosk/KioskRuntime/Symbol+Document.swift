// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues

extension Symbol {
    /// The text of a code as a document. One of several parts is not the whole text.
    var document: Result<DocumentText, DocumentTextError> {
        guard parts == 1 else { return .failure(.notUTF8) }
        let bytes = payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        return Result { () throws(DocumentTextError) in try DocumentText(bytes) }
    }
}
