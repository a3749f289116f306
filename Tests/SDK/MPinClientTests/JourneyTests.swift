// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A whole registration and login, with real cryptography on both sides.
@Suite struct JourneyTests {
    @Test func registersAndLogsIn() async throws {
        let device = try Device()
        let mpin = device.mpin
        try await mpin.initialize()
        let service = try await mpin.serviceDetails(at: try WebAddress("https://login.test/"))
        #expect(service.name == "Test" && service.rpsPrefix == "rps" && service.logoURL.isEmpty)
        try await mpin.setBackend(service.backendURL, rpsPrefix: service.rpsPrefix, namedBy: service.namedBy)
        let session = try await mpin.sessionDetails(for: accessCode)
        #expect(session.prerollID == "alice@example.com" && session.appName == "Shop")

        var user = await mpin.makeNewUser(session.prerollID, deviceName: "kiosk")
        #expect(user.state == .invalid)
        user = try await mpin.startRegistration(of: user, accessCode: accessCode)
        #expect(user.state == .startedRegistration && user.registrationExpires?.timeLeft == .seconds(3600))
        let early = await #expect(throws: MPinError.self) { try await mpin.confirmRegistration(of: user) }
        #expect(early?.status == .identityNotVerified && early?.kind == .notVerified)
        device.backend.change { $0.isActive = true }
        user = try await mpin.confirmRegistration(of: user)
        #expect(user.state == .startedRegistration)
        user = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
        #expect(user.state == .registered && user.pinLength == 4)

        try await mpin.startAuthentication(of: user, accessCode: accessCode)
        let wrong = await #expect(throws: MPinError.self) {
            try await mpin.finishAuthentication(of: user, pin: makePin("1235"), accessCode: accessCode)
        }
        #expect(wrong?.status == .incorrectPIN && wrong?.httpStatus == 401)
        #expect(try await mpin.user(user.key)?.state == .registered)
        let result = try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        #expect(result.canLogout)

        try await mpin.startAuthentication(of: user)
        let plain = try await mpin.finishAuthentication(of: user, pin: makePin("1234"))
        #expect(!plain.canLogout && text(plain.resultData).contains("logoutURL"))
        #expect(device.transport.requests.last?.url.path == "/mpinAuthenticate")
    }

    @Test func aRestartedClientKeepsTheIdentity() async throws {
        let first = try await Device().ready()
        let user = try await first.user(.registered, pin: "123456")
        let second = try await Device(backend: first.backend, storage: first.storage).ready()
        #expect(try await second.mpin.users() == [user])
        try await second.mpin.startAuthentication(of: user)
        _ = try await second.mpin.finishAuthentication(of: user, pin: makePin("123456"))
    }
}
