// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Runs everything at trace level with known secrets, and searches for them in everything that can be read
/// afterwards.
@Suite struct CanaryTests {
    @Test func noSecretIsLoggedOrPrinted() async throws {
        let device = try await Device().ready()
        let mpin = device.mpin
        let pin = "736251"
        let activateCode = "canary-activate-code"
        var printed: [String] = []
        func note(_ value: Any) {
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            printed.append(text)
        }
        func failing(_ body: () async throws -> Void) async {
            do { try await body() } catch {
                note(error)
                if let error = error as? MPinError { printed.append(error.detail) }
            }
        }

        note(try await mpin.serviceDetails(at: try WebAddress("https://login.test")))
        note(try await mpin.sessionDetails(for: accessCode))
        var user = await mpin.makeNewUser("alice@example.com")
        user = try await mpin.startRegistration(
            of: user, activateCode: SecretBytes(copying: activateCode.utf8), userData: "x", accessCode: accessCode)
        note(user)
        await failing { _ = try await mpin.confirmRegistration(of: user) }
        user = try await mpin.restartRegistration(of: user)
        device.backend.change { $0.isActive = true }
        user = try await mpin.confirmRegistration(of: user)
        await failing { _ = try await mpin.confirmRegistration(of: user) }
        user = try await mpin.finishRegistration(of: user, pin: makePin(pin))
        note(user)
        try await mpin.startAuthentication(of: user, accessCode: accessCode)
        note(try await mpin.finishAuthentication(of: user, pin: makePin(pin), accessCode: accessCode))
        note(await mpin.canLogout(user))
        try await mpin.startAuthentication(of: user)
        note(try await mpin.finishAuthenticationOTP(of: user, pin: makePin(pin)))
        try await mpin.startAuthentication(of: user)
        note(try await mpin.finishAuthenticationMFA(of: user, pin: makePin(pin)))
        let newPIN = "580346"
        await failing { _ = try await mpin.changePIN(of: user, from: makePin(newPIN), to: makePin(pin)) }
        try await mpin.startAuthentication(of: user)
        await failing { _ = try await mpin.changePIN(of: user, from: makePin(newPIN), to: makePin(pin)) }
        await failing { _ = try await mpin.changePIN(of: user, from: makePin(pin), to: makePin(pin)) }
        note(try await mpin.changePIN(of: user, from: makePin(pin), to: makePin(newPIN)))
        // Every request fails once in every way while all secrets are in use.
        for endpoint in Endpoint.allCases where endpoint.needsUser && endpoint != .restart {
            let stage = try await Stage(endpoint, Device(backend: device.backend, storage: InMemoryStorage()))
            for behaviour in [FakeTransport.Behaviour.status(500), .json("{\"a\":"), .json("[]"), .status(302)] {
                device.transport.on(endpoint.method, endpoint.path, behaviour)
                if let error = try await stage.callFails() { note(error) }
            }
            device.backend.install()
            printed.append(stage.device.log.text)
        }
        note(try await device.storage.identities())
        note(mpin)

        var canaries = [
            pin, newPIN, activateCode, "130265", "b2c4-authorization", "sessionToken",
            "7a65de7b2ea743e795255dfe7baa1c05",
            hex(Array(activateCode.utf8)), hex(Array(pin.utf8)), hex(Array(newPIN.utf8)),
        ]
        for request in device.transport.requests {
            canaries += ["regOTT", "V", "WID", "U", "UT", "wid"].compactMap { object(request)?[$0] as? String }
            if let query = request.url.query, !query.isEmpty { canaries.append(query) }
        }
        for path in [
            "/rps/user*", "/rps/signature/*", "/dta/clientSecret", "/rps/timePermit/*", "/dta/timePermit", "/rps/pass1",
            "/rps/pass2",
        ] {
            let reply = try #require(device.backend.lastReply(to: path).map(text))
            canaries += reply.matches(of: /[0-9a-f]{32,}/).map { String($0.0) }
        }
        canaries += canaries.map { $0.uppercased() }
        #expect(canaries.count > 50)
        printed.append(device.log.text)
        #expect(device.log.text.contains("pass 2 at https://rps.test"))
        for text in printed {
            for canary in canaries where canary.count > 1 {
                #expect(!text.contains(canary), "a secret of \(canary.count) characters was printed")
            }
        }
    }
}
