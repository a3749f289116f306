// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// Addresses that a backend announces (docs/protocol/milagro.md, section 4.3), its URLs made absolute.
struct ClientSettings: Sendable {
    /// The backend itself, the base of relative URLs.
    let backend: WebAddress
    let registerURL: WebAddress
    let signatureURL: WebAddress
    /// Ends in `/`: the name of a request is appended directly.
    let certivoxURL: WebAddress
    let mpinAuthServerURL: WebAddress
    let authenticateURL: WebAddress
    let mobileAuthenticateURL: WebAddress
    /// Nil when the backend does not report on sessions.
    let codeStatusURL: WebAddress?
    /// Nil when the backend uses no time permits.
    let timePermits: TimePermits?
    /// Every text, whole number and boolean as text by its key, with absolute URLs.
    let parameters: [String: String]

    struct TimePermits: Sendable {
        let url: WebAddress
        /// Nil when there is no permit storage.
        let storageURL: WebAddress?
        let appID: String
    }

    /// - Parameter backend: the base of relative URLs.
    init(_ object: JSONObject, backend: WebAddress) throws(JSONError) {
        self.backend = backend
        let reader = SettingsReader(object: object, backend: backend)
        registerURL = try reader.address("registerURL")
        signatureURL = try reader.address("signatureURL")
        certivoxURL = try reader.address("certivoxURL")
        // Without the slash the request's name would become part of the host or of the last path component.
        guard certivoxURL.path.hasSuffix("/"), certivoxURL.query == nil else {
            throw JSONError("`certivoxURL` does not end in a slash")
        }
        mpinAuthServerURL = try reader.address("mpinAuthServerURL")
        authenticateURL = try reader.address("authenticateURL")
        mobileAuthenticateURL = try reader.address("mobileAuthenticateURL")
        codeStatusURL = try reader.optionalAddress("codeStatusURL")
        if try object.optionalBoolean("usePermits") ?? true {
            timePermits = TimePermits(
                url: try reader.address("timePermitsURL"),
                storageURL: try reader.optionalAddress("timePermitsStorageURL"),
                appID: try reader.pathComponent("appID"))
        } else {
            timePermits = nil
        }
        var parameters = reader.parameters
        // Without `cSum` numbers follow a rule that devices do not have.
        if parameters["cSum"] ?? "0" == "0", parameters["accessNumberUseCheckSum"] != nil {
            parameters["accessNumberUseCheckSum"] = "false"
        }
        self.parameters = parameters
    }
}
