// SPDX-License-Identifier: Apache-2.0

import Patience
import BackendValues
import Encoding
package import HTTPTypes
import Testing

extension RunningBackend {
    /// The header fields by which a relying party's server proves itself.
    package var relyingPartyFields: HTTPFields {
        get throws {
            let file = JSONObject(body: try #require(try StateDirectory.read(state.path + "/relying-party")))
            let pair = [file?.string("client_id"), file?.string("client_secret")].compactMap { $0 }
            return [.authorization: "Basic " + Base64.text(Array(pair.joined(separator: ":").utf8))]
        }
    }
}
