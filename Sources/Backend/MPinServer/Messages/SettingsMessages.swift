// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

// The first requests of a client. docs/protocol/milagro.md, sections 4.2 and 4.3; docs/protocol/miracl.md, sections 4
// and 5.

/// The reply of `GET /service`.
package struct ServiceDescription: Sendable {
    let name: String
    /// The endpoint's address, without a trailing slash.
    let url: String
    /// The prefix of the paths that devices ask, without slashes around it.
    package let prefix: String

    package var json: JSONObject {
        JSONObject([
            "name": .string(name), "url": .string(url), "rps_prefix": .string(prefix),
            "logo_url": .string(url + RPS.logoPath), "type": "online",
        ])
    }
}

/// The reply of `GET /rps/clientSettings`. Every URL is absolute, so that no client resolves it against the wrong
/// base. All are below one address, except that of a D-TA elsewhere.
package struct ClientSettings: Sendable {
    /// The length that classic servers send. Clients may use the random bytes as they like.
    static let seedLength = 100

    let url: String
    /// The address of the D-TA that devices ask, without a trailing slash; nil for the one at this address.
    var authorityURL: String?
    package let appID: String
    package let dialect: Dialect
    let seed: [UInt8]

    package var json: JSONObject {
        let base = url + "/" + RPS.prefix
        var settings: [String: JSONValue] = [
            "registerURL": .string(base + "/user"), "signatureURL": .string(base + "/signature"),
            "certivoxURL": .string((authorityURL ?? url + "/dta") + "/"),
            "timePermitsURL": .string(base + "/timePermit"),
            "timePermitsStorageURL": "", "appID": .string(appID), "mpinAuthServerURL": .string(base),
            "authenticateURL": .string(url + "/mpinAuthenticate"),
            "mobileAuthenticateURL": .string(base + "/authenticate"), "codeStatusURL": .string(base + "/codeStatus"),
            "getQrUrl": .string(base + "/getQrUrl"), "getAccessNumberURL": .string(base + "/getAccessNumber"),
            "accessNumberURL": .string(base + "/access"), "setupDoneURL": .string(base + "/setupDone"),
            "requestOTP": false, "accessNumberDigits": .integer(Int64(AccessNumber.digits)),
            "accessNumberUseCheckSum": true, "cSum": 1, "setDeviceName": false, "useNFC": false,
            "useWebSocket": false, "seedValue": .string(Hexadecimal.text(seed)),
        ]
        switch dialect {
        // If the origin speaks a later dialect no client asks the RPS.
        case .milagro, .mfaV2, .trust2023, .trust2025: return JSONObject(settings)
        case .milagroWithoutPermits, .mfaV1:
            settings["usePermits"] = false
            settings["timePermitsURL"] = ""
        }
        if dialect == .mfaV1 {
            // Every login ends at the platform, not at a web site.
            settings["authenticateURL"] = .string(base + "/authenticate")
            // Codes are scanned, never typed.
            settings["accessNumberDigits"] = 0
            settings["accessNumberUseCheckSum"] = false
            settings["cSum"] = 0
            settings["accessNumberFormat"] = "qr"
        }
        return JSONObject(settings)
    }
}

/// The reply of `GET /rps/v2/clientSettings`.
package struct PlatformClientSettings: Sendable {
    let url: String
    package let appID: String
    /// Random bytes as in ``ClientSettings``.
    let seed: [UInt8]

    package var json: JSONObject {
        let base = url + "/" + Platform.prefix
        return JSONObject([
            "registerURL": .string(base + "/user"), "signatureURL": .string(base + "/signature"),
            "mpinAuthServerURL": .string(base), "pass1URL": .string(base + "/pass1"),
            "pass2URL": .string(base + "/pass2"), "authenticateURL": .string(base + "/authenticate"),
            "mobileAuthenticateURL": .string(base + "/authenticate"), "codeStatusURL": .string(base + "/codeStatus"),
            "dvsRegURL": .string(base + "/dvsregister"), "usePermits": false, "timePermitsURL": "",
            "timePermitsStorageURL": "", "appID": .string(appID), "setDeviceName": true, "requestOTP": false,
            "accessNumberDigits": 0, "accessNumberUseCheckSum": false, "cSum": 0, "accessNumberFormat": "qr",
            "useWebSocket": false, "seedValue": .string(Hexadecimal.text(seed)),
        ])
    }
}
