// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A reply to another request, in place of a reply whose status decides.
@Suite struct ForeignReplyTests {
    static let bodies = [
        #"{"authOTT":"00112233445566778899aabbccddeeff","pass":2,"version":"0.3"}"#, #"{"authOTT":"abc"}"#,
        #"{"pass":1,"y":"1f","message":"OK","version":"0.3"}"#, #"{"y":"0102"}"#,
        #"{"timePermit":"04","date":1}"#, #"{"clientSecretShare":"04","params":"a=b"}"#, #"{"clientSecret":"04"}"#,
        #"{"dvsClientSecret":"04"}"#, #"{"mpinId":"7b7d","regOTT":"00","active":true}"#, #"{"actToken":"a"}"#,
        #"{"mpinAuthServerURL":"/rps","registerURL":"/rps/user"}"#, ScriptedServer.service,
    ]

    @Test(arguments: Endpoint.allCases.filter(\.isFinal) + [.logout, .sessionDetails, .startVerification, .handIn])
    func isNoSuccess(_ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        for body in Self.bodies {
            stage.on(.json(body))
            let error = try await stage.callFails()
            #expect(error?.status == .responseParseError, "\(body)")
            if endpoint.leavesOpen { #expect(error?.outcomeIsUnknown == true, "\(body)") }
        }
        if endpoint.isFinal { #expect(try await stage.device.mpin.user(stage.user.key)?.state == .registered) }
        if endpoint == .logout { #expect(await stage.device.mpin.canLogout(stage.user)) }
    }

    /// The last one is a copy of the server's verdict.
    @Test(arguments: bodies + [#"{"status":200,"message":"OK","code":"b2c4-authorization"}"#])
    func isNoLoginAtTheApplication(_ body: String) async throws {
        let transport = FakeTransport()
        transport.on(.post, "/authtoken", .json(body))
        let application = RelyingPartyApplication(
            at: try WebAddress("https://shop.test"), transport: transport, trust: nil, logger: LogCapture().logger)
        let code = SecretBytes(copying: Array("b2c4-authorization".utf8))
        let error = await expect(.responseParseError) {
            try await application.submit(authorizationCode: code, userID: "a")
        }
        #expect(error?.outcomeIsUnknown == true && error?.detail.contains("b2c4") == false)
    }

    /// The platform repeats its status in the body.
    @Test func aVerdictMustNotContradictItself() async throws {
        let stage = try await Stage(.authenticate)
        for status in [401, 403, 410, 500, 0] {
            stage.on(.json(#"{"status":\#(status),"message":"OK","code":""}"#))
            let error = try await stage.callFails()
            #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true, "\(status)")
        }
    }

    @Test func aCopiedShareMakesNoPermit() async throws {
        let stage = try await Stage(.permitShare2)
        let address = try WebAddress("https://rps.test/rps/timePermit/" + stage.user.mpinID)
        let first = try await stage.transport.send(HTTPRequest(.get, address))
        stage.transport.on(.get, Endpoint.permitStorage.path, .status(404))
        stage.on(.reply(first))
        #expect(try await stage.callFails()?.status == .responseParseError)
    }

    @Test func aCopiedShareMakesNoSecret() async throws {
        let (device, _) = try await Device.with(.invalid, .trust2025)
        let bob = try await device.user(.activated, identity: "bob@example.com")
        _ = try await device.mpin.confirmRegistration(of: bob)
        let url = try #require(device.transport.requests.first?.url)
        let share = try await device.transport.send(HTTPRequest(.get, url))
        for path in ["/dta/1/*", "/dta/2/*"] { device.transport.on(.get, path, .reply(share)) }
        let alice = try await device.user(.activated)
        let error = await expect(.responseParseError) { try await device.mpin.confirmRegistration(of: alice) }
        #expect(error?.detail.contains("copy of the first") == true)
    }
}
