// SPDX-License-Identifier: Apache-2.0

import Patience
import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// The classic protocol without time permits.
@Suite struct PermitlessTests {
    @Test func theSettingsSayWhetherThereArePermits() async throws {
        try await withBackend { backend in
            let settings = try await backend.client.get("/rps/clientSettings").object
            // The classic server never sends this key, and its absence means that there are permits.
            #expect(settings.members["usePermits"] == nil)
            #expect(settings.string("timePermitsURL")?.hasSuffix("/rps/timePermit") == true)
        }
        try await withBackend(options: ["--dialect", "milagro-without-permits"]) { backend in
            let settings = try await backend.client.get("/rps/clientSettings").object
            #expect(settings.members["usePermits"] == false)
            #expect(settings.string("timePermitsURL") == "")
            #expect(settings.string("authenticateURL")?.hasSuffix("/mpinAuthenticate") == true)
        }
    }

    @Test func aDeviceLogsInWithoutAPermit() async throws {
        try await withBackend(options: ["--dialect", "milagro-without-permits"]) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            for (pin, status) in [("1234", 200), ("1235", 401), ("1234", 200)] {
                let second = try await device.passes(pin: pin, permit: nil)
                #expect(second.status == 200)
                let final = try await backend.client.post(
                    "/mpinAuthenticate", ["mpinResponse": .object(second.object.members)])
                #expect(final.status == status)
                backend.clock.letDelaysPass()
            }
        }
    }

    @Test func aDeviceLogsABrowserInWithoutAPermit() async throws {
        try await withBackend(options: ["--dialect", "milagro-without-permits"]) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let browser = Browser(backend)
            _ = try await browser.get("/")
            let second = try await device.passes(
                pin: "1234", accessCode: try await browser.accessCode(), permit: nil)
            async let final = backend.client.post(
                "/rps/authenticate", ["mpinResponse": .object(second.object.members)])
            #expect(try await browser.waitForLogin() == "alice@example.com")
            #expect(try await final.object.string("logoutURL") == "/logout")
        }
    }

    /// A commitment with a permit does not count as one without, and the reverse.
    @Test func noPermitIsNoPermit() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let attempt = try await backend.client.post(
                "/rps/pass1",
                [
                    "pass": 1, "mpin_id": .string(device.mpinIDHex), "UT": "",
                    "U": .string(Hexadecimal.text(try commitment(of: device).u)),
                ])
            #expect(attempt.status == 403)
        }
        try await withBackend(options: ["--dialect", "milagro-without-permits"]) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let attempt = try await backend.client.post(
                "/rps/pass1",
                [
                    "pass": 1, "mpin_id": .string(device.mpinIDHex),
                    "U": .string(Hexadecimal.text(try commitment(of: device).u)),
                ])
            #expect(attempt.status == 403)
            // A device that fetches a permit all the same proves nothing with it.
            let second = try await device.passes(pin: "1234", permit: try await device.permit())
            let final = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(second.object.members)])
            #expect(final.status == 401)
        }
    }

    @Test func aRevokedIdentityIsRefusedAtTheEnd() async throws {
        try await withBackend(options: ["--dialect", "milagro-without-permits"]) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.revoke(userID: "alice@example.com") == 1)
            let second = try await device.passes(pin: "1234", permit: nil)
            let final = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(second.object.members)])
            #expect(final.status == 410)
        }
    }

    /// The same identities work in both ways, so an operator may change the dialect.
    @Test func identitiesOutliveTheChange() async throws {
        let state = TemporaryFolder()
        let registered = try await withBackend(state: state) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            return (device.mpinIDHex, device.token)
        }
        try await withBackend(state: state, options: ["--dialect", "milagro-without-permits"]) { backend in
            let device = Device(backend: backend, mpinIDHex: registered.0, token: registered.1)
            let second = try await device.passes(pin: "1234", permit: nil)
            let final = try await backend.client.post(
                "/mpinAuthenticate", ["mpinResponse": .object(second.object.members)])
            #expect(final.status == 200)
        }
    }

    private func commitment(of device: Device) throws -> Pass1Commitment {
        let digits = Array("1234".utf8)
        return try AuthenticationAttempt(
            identity: MPinIdentity(device.mpinID), token: device.token, pin: PinFactor(digits: digits.span),
            permit: nil
        ).commitment
    }
}
