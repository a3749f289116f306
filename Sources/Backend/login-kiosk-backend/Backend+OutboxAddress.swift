// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend

extension Backend.Addresses {
    /// The outbox in the form that a browser and curl take, password included: for the operator's own eyes.
    var outboxAddressWithPassword: String {
        let encoded = outboxAuthorization.drop { $0 != " " }.dropFirst()
        guard let credentials = Data(base64Encoded: String(encoded)),
            let text = String(data: credentials, encoding: .utf8)
        else { return outboxURL }
        return outboxURL.replacingOccurrences(of: "http://", with: "http://\(text)@")
    }
}
