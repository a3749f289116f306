// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The dialect `mfa-v1`: the same flows with other requests.
@Suite struct MFAv1Tests {
    @Test func writesARegistration() async throws {
        let device = try await Device(.mfaV1).ready()
        #expect(device.log.text.contains("mfa-v1"))
        var user = await device.mpin.makeNewUser("alice@example.com", deviceName: "front door")
        user = try await device.mpin.startRegistration(
            of: user, activateCode: SecretBytes(copying: "123456".utf8), accessCode: accessCode,
            pushIdentifier: "push:1")
        #expect(
            device.bodies.last
                == #"{"userId":"alice@example.com","mobile":1,"deviceName":"front door","activateCode":"123456","#
                + #""wid":"7a65de7b2ea743e795255dfe7baa1c05","pushToken":"push:1"}"#)
        #expect(
            user.registrationExpires
                == Expiration(expireTimeSeconds: 1_795_255_923, nowTimeSeconds: 1_795_252_323))
        // The browser session is remembered for a restart.
        _ = try await device.mpin.restartRegistration(of: user)
        #expect(device.transport.requests.last.flatMap(object)?["wid"] as? String == text(accessCode))
    }

    @Test(arguments: [true, false]) func writesALogin(_ hasSession: Bool) async throws {
        let (device, user) = try await Device.with(.registered, .mfaV1)
        let session = hasSession ? accessCode : nil
        try await device.mpin.startAuthentication(of: user, accessCode: session)
        #expect(device.paths == (hasSession ? ["/rps/codeStatus"] : []))
        for givesCode in [true, false] {
            try await device.mpin.startAuthentication(of: user)
            if givesCode {
                let code = try await device.mpin.finishAuthenticationMFA(
                    of: user, pin: makePin("1234"), accessCode: session)
                #expect(text(code) == "b2c4-authorization")
            } else if hasSession {
                #expect(try await !device.logIn(user).canLogout)
            } else {
                _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
            }
            let requests = device.transport.requests.suffix(3).compactMap { object($0) }
            #expect(requests[0]["UT"] as? String == "" && (requests[0]["U"] as? String)?.hasPrefix("04") == true)
            #expect(requests[1]["WID"] as? String == (hasSession ? text(accessCode) : "0"))
            let authOTT = try #require((requests[2]["mpinResponse"] as? [String: String])?["authOTT"])
            #expect(
                device.bodies.last
                    == #"{"mpinResponse":{"authOTT":"\#(authOTT)"},"authzRequest":\#(givesCode)}"#)
            #expect(device.paths.last == (hasSession ? "/rps/authenticate" : "/mpinAuthenticate"))
        }
    }

    @Test func namesTheCompanyInOneHeader() async throws {
        let device = try await Device(.mfaV1).ready()
        _ = try await device.mpin.sessionDetails(for: accessCode)
        let sent = try #require(device.transport.requests.last).headers.map(\.name)
        #expect(sent.contains("X-MIRACL-CID") && !sent.contains("X-MIRACL-Client-ID"))
    }

    @Test func tellsThatACompanyOrASessionIsMissing() async throws {
        let device = try await Device(.mfaV1).ready()
        let user = await device.mpin.makeNewUser("alice@example.com")
        await expect(.badUserAgent) { try await device.mpin.startRegistration(of: user) }
        #expect(try await device.mpin.users().isEmpty)
        try await device.mpin.setClientID(nil)
        await expect(.badUserAgent) { try await device.setBackend() }
    }

    /// An identity keeps its dialect even if the backend starts or stops using time permits.
    @Test(arguments: [true, false]) func anIdentityKeepsItsDialect(_ permitsFirst: Bool) async throws {
        let device = try Device()
        device.server.change { $0.usesPermits = permitsFirst }
        _ = try await device.ready()
        let user = try await device.user(.registered)
        device.server.change { $0.usesPermits = !permitsFirst }
        try await device.setBackend()
        try await device.logIn(user)
        #expect(device.paths.contains { $0.hasPrefix("/rps/timePermit/") } == !permitsFirst)
        let body = try #require(device.transport.requests.last.flatMap(object))
        #expect((body["authzRequest"] == nil) == permitsFirst)
    }
}
