// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

// The requests that are made before a dialect is known.

extension Exchange where Reply == Result<ServiceDetails, JSONError> {
    /// `GET {baseURL}/service` (docs/protocol/milagro.md, section 4.2).
    ///
    /// A reply that is not JSON is a result, because it means that the service document is elsewhere. One without the
    /// right keys is an error.
    static func serviceDetails(
        at baseURL: WebAddress, _ configuration: MPin.Configuration
    ) throws(MPinError) -> Exchange {
        let url = try MPinError.address(baseURL, "/service", for: .serviceDetails)
        let request = HTTPRequest(.get, url, headers: RequestHeaders.make(for: .get, configuration), isRepeatable: true)
        return Exchange(call: Call(kind: .serviceDetails, request: request), success: 200...200) {
            body throws(JSONError) in
            let object: JSONObject
            do throws(JSONError) { object = try JSONObject(body) } catch { return .failure(error) }
            return .success(try ServiceDetails(object, namedBy: baseURL.origin))
        }
    }
}

extension ServiceDetails {
    fileprivate init(_ object: JSONObject, namedBy namer: Origin) throws(JSONError) {
        let name = try object.string("name")
        let backend = try object.string("url")
        let rpsPrefix = try object.string("rps_prefix")
        let logoURL = try object.string("logo_url")
        guard try object.string("type") == "online" else { throw JSONError("`type` is not online") }
        guard RPSPrefix.isValid(rpsPrefix) else { throw JSONError("`rps_prefix` is not a path") }
        let backendURL: WebAddress
        do throws(WebAddressError) { backendURL = try WebAddress(backend) } catch {
            throw JSONError("`url` is not a web address: \(error.rawValue)")
        }
        self.init(name: name, backendURL: backendURL, rpsPrefix: rpsPrefix, logoURL: logoURL, namedBy: namer)
    }
}

extension Exchange where Reply == BackendProfile {
    /// `GET {backend}/{prefix}/clientSettings` (docs/protocol/milagro.md, section 4.3), and the dialect that the
    /// settings show.
    ///
    /// - Parameter pinned: a dialect that the configuration sets; the settings must then fit it.
    static func clientSettings(
        of backend: WebAddress, rpsPrefix: String, pinned: DialectName?, _ configuration: MPin.Configuration
    ) throws(MPinError) -> Exchange {
        guard RPSPrefix.isValid(rpsPrefix) else {
            throw MPinError(.misuse, detail: "client settings: the prefix is not a path; try `rps`")
        }
        let prefix = RPSPrefix.trimmed(rpsPrefix)
        let url = try MPinError.address(
            backend, (prefix.isEmpty ? "" : "/" + prefix) + "/clientSettings", for: .clientSettings)
        return Exchange(
            .clientSettings,
            HTTPRequest(.get, url, headers: RequestHeaders.make(for: .get, configuration), isRepeatable: true),
            success: 200...200
        ) { object throws(JSONError) in
            let showsMFAv2 = prefix == "rps/v2" || object.isPresent("dvsRegURL") || object.isPresent("pass1URL")
            guard pinned.map({ $0 == .mfaV2 }) ?? showsMFAv2 else {
                return .classic(try ClientSettings(object, backend: backend))
            }
            guard try object.optionalBoolean("usePermits") != true else {
                throw JSONError("the settings are those of mfa-v2 and ask for time permits, which it does not have")
            }
            return .mfaV2(try MFAv2Settings(object, backend: backend))
        }
    }
}

extension Exchange where Reply == String {
    /// `GET {address}/.well-known/project-configuration`: the id of the project (docs/protocol/miracl.md, section 16).
    static func projectConfiguration(
        at address: WebAddress, _ configuration: MPin.Configuration
    ) throws(MPinError) -> Exchange {
        let url = try MPinError.address(address, "/.well-known/project-configuration", for: .projectConfiguration)
        let request = HTTPRequest(
            .get, url, headers: RequestHeaders.makeForTrust(.get, configuration), isRepeatable: true)
        return Exchange(.projectConfiguration, request, success: 200...200) { object throws(JSONError) in
            let id = try object.string("id")
            // The id is sent in headers and is part of identity keys.
            guard (1...128).contains(id.utf8.count),
                id.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
            else { throw JSONError("`id` is not 1 to 128 visible characters") }
            return id
        }
    }
}

extension Exchange where Reply == AccessCode {
    /// `POST {authorization URL}`: begins a session of this client's own, as the platform does for browsers
    /// (docs/protocol/miracl.md, section 6.3).
    static func accessCode(from url: WebAddress, _ configuration: MPin.Configuration) -> Exchange {
        let request = HTTPRequest(
            .post, url, headers: RequestHeaders.make(for: .post, configuration, sendsClientID: false),
            body: JSONBody([JSONBody.Member]()).encoded())
        return Exchange(.authorizationURL, request, success: 200...200) { object throws(JSONError) in
            let text = try object.string("qrURL")
            guard let mark = text.lastIndex(of: "#"), let code = AccessCode(text[text.index(after: mark)...]) else {
                throw JSONError("`qrURL` has no access code")
            }
            return code
        }
    }
}
