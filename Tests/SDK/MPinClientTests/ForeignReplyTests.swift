// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A reply to another request, in place of a reply that is judged by its status.
@Suite struct ForeignReplyTests {
    static let bodies = [
        #"{"authOTT":"00112233445566778899aabbccddeeff","pass":2,"version":"0.3"}"#, #"{"authOTT":"abc"}"#,
        #"{"pass":1,"y":"1f","message":"OK","version":"0.3"}"#, #"{"y":"0102"}"#,
        #"{"timePermit":"04","date":1}"#, #"{"clientSecretShare":"04","params":"a=b"}"#, #"{"clientSecret":"04"}"#,
        #"{"dvsClientSecret":"04"}"#, #"{"mpinId":"7b7d","regOTT":"00","active":true}"#, #"{"actToken":"a"}"#,
        #"{"mpinAuthServerURL":"/rps","registerURL":"/rps/user"}"#,
        #"{"name":"a","url":"https://rps.test","rps_prefix":"rps","type":"online","logo_url":""}"#,
    ]

    @Test(arguments: bodies, [Endpoint.relyingParty, .browserSession, .oneTimePassword, .authorizationCode])
    func isNoVerdict(_ body: String, _ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        stage.device.transport.on(endpoint.method, endpoint.path, .json(body))
        let error = try await stage.callFails()
        #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true)
        #expect(try await stage.device.mpin.user(stage.user.key)?.state == .registered)
    }

    @Test(arguments: bodies, [PlatformEndpoint.authenticate, .authenticateForCode, .statement])
    func isNoVerdictOfThePlatform(_ body: String, _ endpoint: PlatformEndpoint) async throws {
        let stage = try await PlatformStage(endpoint)
        stage.device.transport.on(endpoint.method, endpoint.path, .json(body))
        let error = try await stage.callFails()
        #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true)
    }

    @Test(arguments: bodies, [Endpoint.logout, .sessionDetails])
    func isNoSuccess(_ body: String, _ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        stage.device.transport.on(endpoint.method, endpoint.path, .json(body))
        #expect(try await stage.callFails()?.status == .responseParseError)
        if endpoint == .logout { #expect(await stage.device.mpin.canLogout(stage.user)) }
    }

    @Test(arguments: bodies, [PlatformEndpoint.startVerification, .handIn])
    func isNoSuccessAtThePlatform(_ body: String, _ endpoint: PlatformEndpoint) async throws {
        let stage = try await PlatformStage(endpoint)
        stage.device.transport.on(endpoint.method, endpoint.path, .json(body))
        let error = try await stage.callFails()
        #expect(error?.status == .responseParseError)
        if endpoint == .handIn { #expect(error?.outcomeIsUnknown == true) }
    }

    @Test(arguments: bodies) func isNoLoginAtTheApplication(_ body: String) async throws {
        let transport = FakeTransport()
        transport.on(.post, "/authtoken", .json(body))
        let application = RelyingPartyApplication(
            at: try WebAddress("https://shop.test"), transport: transport, trust: nil, logger: LogCapture().logger)
        let error = await #expect(throws: MPinError.self) {
            try await application.submit(authorizationCode: SecretBytes(copying: Array("c".utf8)), userID: "a")
        }
        #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true)
    }

    @Test func aCopyOfTheVerdictIsNoLoginAtTheApplication() async throws {
        let transport = FakeTransport()
        transport.on(.post, "/authtoken", .json(#"{"status":200,"message":"OK","code":"b2c4-authorization"}"#))
        let log = LogCapture()
        let application = RelyingPartyApplication(
            at: try WebAddress("https://shop.test"), transport: transport, trust: nil, logger: log.logger)
        let code = SecretBytes(copying: Array("b2c4-authorization".utf8))
        let error = await #expect(throws: MPinError.self) {
            try await application.submit(authorizationCode: code, userID: "a")
        }
        #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true)
        #expect(error?.detail.contains("b2c4") == false)
    }

    /// The platform repeats its status in the body.
    @Test(arguments: [401, 403, 410, 500, 0]) func aVerdictMustNotContradictItself(_ status: Int) async throws {
        let stage = try await PlatformStage(.authenticate)
        stage.device.transport.on(
            .post, "/rps/v2/authenticate", .json(#"{"status":\#(status),"message":"OK","code":""}"#))
        let error = try await stage.callFails()
        #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true)
    }

    @Test func aCopiedShareMakesNoPermit() async throws {
        let stage = try await Stage(.permitShare2)
        let address = try WebAddress("https://rps.test/rps/timePermit/" + stage.user.mpinID)
        let first = try await stage.device.transport.send(HTTPRequest(.get, address))
        stage.device.transport.on(.get, Endpoint.permitStorage.path, .status(404))
        stage.device.transport.on(.get, Endpoint.permitShare2.path, .reply(first))
        #expect(try await stage.callFails()?.status == .responseParseError)
    }

    @Test func aCopiedShareMakesNoSecret() async throws {
        let stage = try await PlatformStage(.secretURL)
        let paths = ["/dta/1/*", "/dta/2/*"]
        let share = try await stage.device.share()
        for path in paths { stage.device.transport.on(.get, path, .reply(share)) }
        let error = try await stage.callFails()
        #expect(error?.status == .responseParseError && error?.detail.contains("copy of the first") == true)
        #expect(try await stage.device.mpin.users().allSatisfy { $0.state != .registered })
    }
}

extension PlatformDevice {
    /// The first share in a registration.
    fileprivate func share() async throws -> HTTPResponse {
        var user = await mpin.makeNewUser("bob@example.com", deviceName: "kiosk")
        user = try await mpin.startRegistration(of: user, activateCode: PlatformDevice.token)
        transport.forgetRequests()
        _ = try await mpin.confirmRegistration(of: user)
        let url = try #require(transport.requests.first?.url)
        try await mpin.deleteUser(user)
        return try await transport.send(HTTPRequest(.get, url))
    }
}
