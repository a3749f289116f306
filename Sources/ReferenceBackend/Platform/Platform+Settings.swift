// SPDX-License-Identifier: Apache-2.0

/// What a client of before 2023 learns first. MIRACL protocol, sections 4 and 5.
extension Platform {
    /// The reply of `GET /service`.
    func serviceDescription(at mount: PlatformMount) async throws -> JSONObject {
        let url = try await mount.url
        return JSONObject([
            "name": .string(site.name), "url": .string(url), "rps_prefix": "rps/v2", "type": "online",
            "logo_url": .string(url + RPS.logoPath),
        ])
    }

    /// The reply of `GET /rps/v2/clientSettings`.
    func clientSettings(at mount: PlatformMount) async throws -> JSONObject {
        let base = try await mount.url + "/rps/v2"
        return JSONObject([
            "registerURL": .string(base + "/user"), "signatureURL": .string(base + "/signature"),
            "mpinAuthServerURL": .string(base), "pass1URL": .string(base + "/pass1"),
            "pass2URL": .string(base + "/pass2"), "authenticateURL": .string(base + "/authenticate"),
            "mobileAuthenticateURL": .string(base + "/authenticate"), "codeStatusURL": .string(base + "/codeStatus"),
            "dvsRegURL": .string(base + "/dvsregister"), "usePermits": false, "timePermitsURL": "",
            "timePermitsStorageURL": "", "appID": .string(credentials.appID), "setDeviceName": true,
            "requestOTP": false, "accessNumberDigits": 0, "accessNumberUseCheckSum": false, "cSum": 0,
            "accessNumberFormat": "qr", "useWebSocket": false,
            "seedValue": .string(Hexadecimal.text(try RandomBytes.make(100))),
        ])
    }
}
