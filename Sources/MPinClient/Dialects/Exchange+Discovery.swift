// SPDX-License-Identifier: Apache-2.0

import LoginValues

// The two requests that are made before a dialect is known.

extension Exchange where Reply == ServiceDetails {
    /// `GET {baseURL}/service` (milagro protocol, section 4.2).
    static func serviceDetails(
        at baseURL: WebAddress, _ configuration: MPin.Configuration
    ) throws(MPinError) -> Exchange {
        let url = try MPinError.address(baseURL, "/service", for: .serviceDetails)
        return Exchange(
            .serviceDetails,
            HTTPRequest(.get, url, headers: ClassicHeaders.make(for: .get, configuration), isRepeatable: true),
            success: 200...200
        ) { object throws(JSONError) in
            let name = try object.string("name")
            let backend = try object.string("url")
            let rpsPrefix = try object.string("rps_prefix")
            let logoURL = try object.string("logo_url")
            guard try object.string("type") == "online" else { throw JSONError("`type` is not online") }
            guard RPSPrefix.isValid(rpsPrefix) else { throw JSONError("`rps_prefix` is no path") }
            let backendURL: WebAddress
            do throws(WebAddressError) { backendURL = try WebAddress(backend) } catch {
                throw JSONError("`url` is no web address: \(error.rawValue)")
            }
            return ServiceDetails(name: name, backendURL: backendURL, rpsPrefix: rpsPrefix, logoURL: logoURL)
        }
    }
}

extension Exchange where Reply == ClientSettings {
    /// `GET {backend}/{prefix}/clientSettings` (milagro protocol, section 4.3).
    static func clientSettings(
        of backend: WebAddress, rpsPrefix: String, _ configuration: MPin.Configuration
    ) throws(MPinError) -> Exchange {
        guard RPSPrefix.isValid(rpsPrefix) else {
            throw MPinError(status: .flowError, detail: "client settings: the prefix is no path; try `rps`")
        }
        let prefix = RPSPrefix.trimmed(rpsPrefix)
        let url = try MPinError.address(
            backend, (prefix.isEmpty ? "" : "/" + prefix) + "/clientSettings", for: .clientSettings)
        return Exchange(
            .clientSettings,
            HTTPRequest(.get, url, headers: ClassicHeaders.make(for: .get, configuration), isRepeatable: true),
            success: 200...200
        ) { object throws(JSONError) in try ClientSettings(object, backend: backend) }
    }
}
