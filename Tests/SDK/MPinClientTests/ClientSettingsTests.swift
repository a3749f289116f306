// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import Testing

@testable import MPinClient

@Suite struct ClientSettingsTests {
    private func settings(_ changes: [String: String] = [:], backend: String = "https://rps.test/base/") throws
        -> ClientSettings
    {
        var values = [
            "registerURL": #""/rps/user""#, "signatureURL": #""https://a.test/s""#,
            "certivoxURL": #""https://dta.test/""#,
            "mpinAuthServerURL": #""ws://a.test/rps""#, "authenticateURL": #""/mpinAuthenticate""#,
            "mobileAuthenticateURL": #""wss://a.test:444/auth""#, "timePermitsURL": #""/t""#, "appID": #""OIDC""#,
        ]
        for (key, value) in changes { values[key] = value.isEmpty ? nil : value }
        let body = "{" + values.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        return try ClientSettings(JSONObject(body), backend: try WebAddress(backend))
    }

    @Test func rewritesURLs() throws {
        let settings = try settings([
            "codeStatusURL": #""/c""#, "cSum": "1", "useNFC": "false", "seedValue": #""00ff""#,
            "other": #""wss://x/y""#,
        ])
        #expect(settings.registerURL.absoluteText == "https://rps.test/base/rps/user")
        #expect(settings.mpinAuthServerURL.absoluteText == "http://a.test/rps")
        #expect(settings.mobileAuthenticateURL.absoluteText == "https://a.test:444/auth")
        #expect(settings.codeStatusURL?.absoluteText == "https://rps.test/base/c")
        #expect(settings.parameters["cSum"] == "1" && settings.parameters["useNFC"] == "false")
        #expect(settings.parameters["other"] == "https://x/y" && settings.parameters["seedValue"] == "00ff")
        #expect(settings.parameters["registerURL"] == "https://rps.test/base/rps/user")
    }

    @Test func whatIsOptionalMayBeMissing() throws {
        let plain = try settings()
        #expect(plain.codeStatusURL == nil && plain.timePermits?.storageURL == nil)
        #expect(try settings(["codeStatusURL": #""""#]).codeStatusURL == nil)
        #expect(try settings(["timePermitsStorageURL": "null"]).timePermits?.storageURL == nil)
        let without = try settings(["usePermits": "false", "timePermitsURL": "", "appID": ""])
        #expect(without.timePermits == nil)
        #expect(try settings(["usePermits": "true"]).timePermits != nil)
    }

    @Test(arguments: [
        ("certivoxURL", #""https://dta.test""#), ("certivoxURL", #""https://dta.test/?a=/""#), ("usePermits", "1"),
        ("usePermits", #""false""#), ("appID", #""../x""#), ("appID", #""a/b""#), ("appID", #""""#),
        ("codeStatusURL", "7"),
        ("timePermitsStorageURL", "[]"), ("registerURL", #""""#),
    ]) func refuses(_ key: String, _ value: String) {
        #expect(throws: JSONError.self) { try settings([key: value]) }
    }
}
