// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import ReferenceBackend

extension Backend.Addresses {
    /// The outbox's address with its password, for a browser or curl. For the operator's eyes only.
    var outboxAddressWithPassword: String {
        let encoded = outboxAuthorization.drop { $0 != " " }.dropFirst()
        guard let credentials = Base64.bytes(encoded), let text = String(validating: credentials, as: UTF8.self) else {
            return outboxURL
        }
        return outboxURL.replacingOccurrences(of: "http://", with: "http://\(text)@")
    }
}
