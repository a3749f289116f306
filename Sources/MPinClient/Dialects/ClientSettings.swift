// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// What a backend tells about its addresses (milagro protocol, section 4.3), its URLs made absolute.
struct ClientSettings: Sendable {
    /// The backend itself: what relative URLs, also later ones, are put behind.
    let backend: WebAddress
    let registerURL: WebAddress
    let signatureURL: WebAddress
    /// Ends in `/`: the name of a request is appended directly.
    let certivoxURL: WebAddress
    let mpinAuthServerURL: WebAddress
    let authenticateURL: WebAddress
    let mobileAuthenticateURL: WebAddress
    /// Nil when the backend tells nothing about sessions.
    let codeStatusURL: WebAddress?
    /// Nil when the backend uses no time permits.
    let timePermits: TimePermits?
    /// Every text, whole number and boolean by its key, as text, URLs made absolute.
    let parameters: [String: String]

    struct TimePermits: Sendable {
        let url: WebAddress
        /// Nil when there is no permit storage.
        let storageURL: WebAddress?
        let appID: String
    }

    /// - Parameter backend: what relative URLs are put behind.
    init(_ object: JSONObject, backend: WebAddress) throws(JSONError) {
        self.backend = backend
        let reader = Reader(object: object, backend: backend)
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
        var parameters: [String: String] = [:]
        for key in object.keys { parameters[key] = object.parameter(key).map(reader.rewritten) }
        // Without `cSum` numbers are made by a rule that devices do not know.
        if parameters["cSum"] ?? "0" == "0", parameters["accessNumberUseCheckSum"] != nil {
            parameters["accessNumberUseCheckSum"] = "false"
        }
        self.parameters = parameters
    }
}

extension ClientSettings {
    private struct Reader {
        let object: JSONObject
        let backend: WebAddress

        /// The rule for every text among the settings: relative ones stand behind the backend's URL, not behind the
        /// URL that the settings came from, and websocket schemes become their http twins.
        func rewritten(_ text: String) -> String {
            if text.hasPrefix("/") { return backend.base.absoluteText + text }
            if text.hasPrefix("wss://") { return "https://" + text.dropFirst(6) }
            if text.hasPrefix("ws://") { return "http://" + text.dropFirst(5) }
            return text
        }

        func address(_ key: String) throws(JSONError) -> WebAddress {
            guard let address = try optionalAddress(key) else { throw JSONError("`\(key)` is missing") }
            return address
        }

        /// - Returns: nil when the key is absent or its text empty.
        func optionalAddress(_ key: String) throws(JSONError) -> WebAddress? {
            guard let text = try object.optionalString(key), !text.isEmpty else { return nil }
            do { return try WebAddress(rewritten(text)) } catch {
                throw JSONError("`\(key)` is no web address: \(error.rawValue)")
            }
        }

        func pathComponent(_ key: String) throws(JSONError) -> String {
            let text = try object.string(key)
            let isPlain = text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
            guard (1...128).contains(text.utf8.count), isPlain else {
                throw JSONError("`\(key)` is not 1 to 128 letters, digits, _ and -")
            }
            return text
        }
    }
}
