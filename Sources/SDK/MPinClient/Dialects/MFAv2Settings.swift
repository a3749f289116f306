// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// Addresses that a backend of the dialect mfa-v2 announces (docs/protocol/miracl.md, section 5).
struct MFAv2Settings: Sendable {
    /// The backend itself, the base of relative URLs and of the fixed paths of verification.
    let backend: WebAddress
    let registerURL: WebAddress
    let signatureURL: WebAddress
    let pass1URL: WebAddress
    let pass2URL: WebAddress
    let authenticateURL: WebAddress
    /// Nil when the backend does not report on sessions.
    let codeStatusURL: WebAddress?
    /// Nil when identities of this backend cannot sign.
    let dvsRegURL: WebAddress?
    let parameters: [String: String]

    init(_ object: JSONObject, backend: WebAddress) throws(JSONError) {
        self.backend = backend
        let reader = SettingsReader(object: object, backend: backend)
        registerURL = try reader.address("registerURL")
        signatureURL = try reader.address("signatureURL")
        if let pass1URL = try reader.optionalAddress("pass1URL"), let pass2URL = try reader.optionalAddress("pass2URL")
        {
            self.pass1URL = pass1URL
            self.pass2URL = pass2URL
        } else {
            let server = try reader.address("mpinAuthServerURL")
            do throws(WebAddressError) {
                pass1URL = try server.appending("/pass1")
                pass2URL = try server.appending("/pass2")
            } catch { throw JSONError("`mpinAuthServerURL` makes no web address: \(error.rawValue)") }
        }
        authenticateURL = try reader.address("authenticateURL")
        codeStatusURL = try reader.optionalAddress("codeStatusURL")
        dvsRegURL = try reader.optionalAddress("dvsRegURL")
        parameters = reader.parameters
    }
}
