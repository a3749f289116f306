// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The dialect `mfa-v1`: the same flows with other requests.
@Suite struct PlatformTests {
    @Test func registersAndLogsIn() async throws {
        let device = try await platform()
        let mpin = device.mpin
        #expect(device.log.text.contains("mfa-v1"))
        var user = await mpin.makeNewUser("alice@example.com", deviceName: "front door")
        user = try await mpin.startRegistration(
            of: user, activateCode: SecretBytes(copying: "123456".utf8), accessCode: accessCode,
            pushIdentifier: "push:1")
        #expect(
            device.transport.requests.last?.body.map(text)
                == #"{"userId":"alice@example.com","mobile":1,"deviceName":"front door","activateCode":"123456","#
                + #""wid":"7a65de7b2ea743e795255dfe7baa1c05","pushToken":"push:1"}"#)
        #expect(
            user.registrationExpires
                == Expiration(expireTimeSeconds: 1_795_255_923, nowTimeSeconds: 1_795_252_323))
        // The browser session is remembered for a restart.
        user = try await mpin.restartRegistration(of: user)
        #expect(
            device.transport.requests.last.flatMap(object)?["wid"] as? String == "7a65de7b2ea743e795255dfe7baa1c05")
        device.backend.change { $0.isActive = true }
        _ = try await mpin.confirmRegistration(of: user)
        user = try await mpin.finishRegistration(of: user, pin: makePin("1234"))

        device.transport.forgetRequests()
        try await mpin.startAuthentication(of: user, accessCode: accessCode)
        #expect(device.transport.requests.map(\.url.path) == ["/rps/codeStatus"])
        let result = try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        #expect(!result.canLogout)
        let requests = device.transport.requests
        #expect(requests.last?.url.absoluteText == "https://rps.test/rps/authenticate")
        #expect(requests[1].body.map(text)?.contains(#""UT":"","U":"04"#) == true)
        let authOTT = try #require(
            requests.last.flatMap(object)?["mpinResponse"].flatMap { $0 as? [String: String] }?["authOTT"])
        #expect(
            requests.last?.body.map(text) == #"{"mpinResponse":{"authOTT":"\#(authOTT)"},"authzRequest":false}"#)

        try await mpin.startAuthentication(of: user)
        let password = try await mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
        #expect(text(password.digits) == "130265")
        try await mpin.startAuthentication(of: user)
        let code = try await mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"))
        #expect(text(code) == "b2c4-authorization")
        #expect(device.transport.requests.last?.body.map(text)?.hasSuffix(#","authzRequest":true}"#) == true)
        // A login in the session that the application began itself.
        try await mpin.startAuthentication(of: user, accessCode: accessCode)
        _ = try await mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"), accessCode: accessCode)
        #expect(device.transport.requests.last?.url.path == "/rps/authenticate")
        #expect(device.transport.requests.last?.body.map(text)?.hasSuffix(#","authzRequest":true}"#) == true)
        let pass2 = device.transport.requests.last { $0.url.path == "/rps/pass2" }
        #expect(pass2.flatMap(object)?["WID"] as? String == text(accessCode))
        try await mpin.startAuthentication(of: user)
        for status in [401, 401, 410] {
            let error = await #expect(throws: MPinError.self) {
                try await mpin.finishAuthentication(of: user, pin: makePin("4321"), accessCode: accessCode)
            }
            #expect(error?.status == .incorrectPIN && error?.httpStatus == status)
        }
        #expect(try await mpin.user(user.key)?.state == .blocked)
    }

    @Test func namesTheCompanyInOneHeader() async throws {
        let device = try await platform()
        _ = try await device.mpin.sessionDetails(for: accessCode)
        let sent = try #require(device.transport.requests.last).headers.map(\.name)
        #expect(sent.contains("X-MIRACL-CID") && !sent.contains("X-MIRACL-Client-ID"))
    }

    @Test func refusesAClientWithoutACompany() async throws {
        let device = try Device()
        device.backend.change { $0.isPlatform = true }
        try await device.mpin.initialize()
        try await device.mpin.setClientID(nil)
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.setBackend(try WebAddress(ScriptedBackend.backendURL))
        }
        #expect(error?.status == .badUserAgent)
    }

    @Test func refusesARegistrationWithoutASession() async throws {
        let device = try await platform()
        let user = await device.mpin.makeNewUser("alice@example.com")
        let error = await #expect(throws: MPinError.self) { try await device.mpin.startRegistration(of: user) }
        #expect(error?.status == .badUserAgent)
        #expect(try await device.mpin.users().isEmpty)
    }

    @Test func readsTheCustomersDetails() async throws {
        let device = try await platform()
        device.transport.on(
            .post, "/rps/codeStatus",
            .json(
                #"{"prerollId":"p","appName":"a","appLogoURL":"l","customerId":"c","customerName":"n","#
                    + #""customerLogoURL":"u","registerOnly":false}"#))
        let details = try await device.mpin.sessionDetails(for: accessCode)
        #expect(
            [
                details.prerollID, details.appName, details.appIconURL, details.customerID, details.customerName,
                details.customerIconURL,
            ] == ["p", "a", "l", "c", "n", "u"])
    }

    /// An identity keeps its dialect even if the backend starts or stops using time permits.
    @Test(arguments: [true, false]) func anIdentityKeepsItsDialect(_ permitsFirst: Bool) async throws {
        let device = try Device()
        device.backend.change { $0.usesPermits = permitsFirst }
        _ = try await device.ready()
        let user = try await device.user(.registered)
        device.backend.change { $0.usesPermits = !permitsFirst }
        try await device.mpin.setBackend(try WebAddress(ScriptedBackend.backendURL))
        try await device.mpin.startAuthentication(of: user)
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        let requests = device.transport.requests
        #expect(requests.contains { $0.url.path.hasPrefix("/rps/timePermit/") } == !permitsFirst)
        let body = try #require(requests.last.flatMap(object))
        #expect((body["authzRequest"] == nil) == permitsFirst)
    }

    private func platform() async throws -> Device {
        let device = try Device()
        device.backend.change { $0.isPlatform = true }
        return try await device.ready()
    }
}
