// SPDX-License-Identifier: Apache-2.0

/// What a client learns first. Milagro protocol, sections 4.2 and 4.3.
extension RPS {
    static let prefix = "rps"
    static let logoPath = "/logo.svg"

    /// The reply of `GET /service`.
    func serviceDescription() async throws -> JSONObject {
        let url = try await mount.url
        return JSONObject([
            "name": .string(mount.site.name), "url": .string(url), "rps_prefix": .string(Self.prefix),
            "logo_url": .string(url + Self.logoPath), "type": "online",
        ])
    }

    /// The reply of `GET /rps/clientSettings`. Every URL is absolute and below the one address, so that no client
    /// can resolve one against the wrong base.
    func clientSettings() async throws -> JSONObject {
        let url = try await mount.url
        let base = url + "/" + Self.prefix
        let classic: [String: JSONValue] = [
            "registerURL": .string(base + "/user"),
            "signatureURL": .string(base + "/signature"),
            "certivoxURL": .string(url + "/dta/"),
            "timePermitsURL": .string(base + "/timePermit"),
            "timePermitsStorageURL": "",
            "appID": .string(credentials.appID),
            "mpinAuthServerURL": .string(base),
            "authenticateURL": .string(url + "/mpinAuthenticate"),
            "mobileAuthenticateURL": .string(base + "/authenticate"),
            "codeStatusURL": .string(base + "/codeStatus"),
            "getQrUrl": .string(base + "/getQrUrl"),
            "getAccessNumberURL": .string(base + "/getAccessNumber"),
            "accessNumberURL": .string(base + "/access"),
            "setupDoneURL": .string(base + "/setupDone"),
            "requestOTP": false,
            "accessNumberDigits": .integer(Int64(AccessNumber.digits)),
            "accessNumberUseCheckSum": true,
            "cSum": 1,
            "setDeviceName": false,
            "useNFC": false,
            "useWebSocket": false,
            "seedValue": .string(Hexadecimal.text(try RandomBytes.make(100))),
        ]
        return JSONObject(classic.merging(settings(below: base)) { $1 })
    }
}
