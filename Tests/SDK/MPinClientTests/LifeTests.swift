// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Headers, client id, client parameters, and the end and restart of a client.
@Suite struct LifeTests {
    @Test func sendsTheHeadersItIsInitializedWith() async throws {
        let device = Device(try ScriptedServer(), trust: nil) {
            $0.companyID = nil
            $0.customHeaders = [HTTPHeader("X-Site", "1"), HTTPHeader("X-Floor", "3")]
        }
        let mpin = device.mpin
        // Names in any case replace the built-in and the configured headers.
        try await mpin.initialize(customHeaders: [
            HTTPHeader("x-site", "7"), HTTPHeader("x-miracl-os-class", "door"), HTTPHeader("User-Agent", "a (b; c)"),
        ])
        // A second call has no effect, whatever its arguments.
        try await mpin.initialize(customHeaders: [HTTPHeader("X-Site", "8")])
        _ = try await mpin.serviceDetails(at: try WebAddress("https://login.test"))
        #expect(
            device.transport.requests.last?.headers == [
                HTTPHeader("X-MIRACL-CLIENT", "login-kiosk/1.2.3"), HTTPHeader("X-Floor", "3"),
                HTTPHeader("x-site", "7"),
                HTTPHeader("x-miracl-os-class", "door"), HTTPHeader("User-Agent", "a (b; c)"),
            ])
    }

    @Test(arguments: [
        HTTPHeader("", "a"), HTTPHeader("A B", "a"), HTTPHeader("A:", "a"), HTTPHeader("A\r\nB", "a"),
        HTTPHeader("\u{C4}", "a"), HTTPHeader("A", "b\r\nX-MIRACL-CID: other"), HTTPHeader("A", "b\n"),
        HTTPHeader("A", "\u{0}"), HTTPHeader("A", "\u{FC}"), HTTPHeader("A", " a"), HTTPHeader("A", "a "),
        HTTPHeader("A", String(repeating: "a", count: 5000)), HTTPHeader(String(repeating: "a", count: 200), "a"),
    ]) func refusesAHeaderThatCannotBeSent(_ header: HTTPHeader) async throws {
        let device = try Device()
        await expect(.flowError) { try await device.mpin.initialize(customHeaders: [header]) }
        // The client is unchanged, and can be initialized with valid headers.
        try await device.mpin.initialize(customHeaders: [HTTPHeader("A", "")])
    }

    @Test func refusesAHeaderTwice() async throws {
        let device = try Device()
        await expect(.flowError) {
            try await device.mpin.initialize(customHeaders: [HTTPHeader("A", "1"), HTTPHeader("a", "2")])
        }
    }

    @Test func sendsTheClientIDFromNowOn() async throws {
        let device = try await Device().ready()
        try await device.mpin.setClientID("company2")
        _ = try await device.mpin.sessionDetails(for: accessCode)
        #expect(headers(device, "X-MIRACL-CID") == ["company2"])
        #expect(headers(device, "X-MIRACL-Client-ID") == ["company2"])
        try await device.mpin.setClientID(nil)
        _ = try await device.mpin.sessionDetails(for: accessCode)
        try await device.mpin.testBackend(try WebAddress(ScriptedServer.url))
        #expect(headers(device, "X-MIRACL-CID").isEmpty && headers(device, "X-MIRACL-Client-ID").isEmpty)
        await expect(.flowError) { try await device.mpin.setClientID("a\r\nb: c") }
        try await device.mpin.testBackend(try WebAddress(ScriptedServer.url))
        #expect(headers(device, "X-MIRACL-CID").isEmpty)
    }

    @Test func tellsClientParameters() async throws {
        let device = try await Device().ready()
        let mpin = device.mpin
        #expect(try await mpin.clientParameter("accessNumberDigits") == "7")
        #expect(try await mpin.clientParameter("setDeviceName") == "true")
        #expect(try await mpin.clientParameter("appID") == "app1")
        #expect(try await mpin.clientParameter("registerURL") == "https://rps.test/rps/user")
        #expect(try await mpin.clientParameter("accessNumberUseCheckSum") == "true")
        #expect(try await mpin.clientParameter("supportedProtocols") == nil)
        device.server.tell(["cSum": nil, "supportedProtocols": ["2pass"]])
        try await mpin.setBackend(try WebAddress(ScriptedServer.url))
        #expect(try await mpin.clientParameter("accessNumberUseCheckSum") == "false")
        #expect(try await mpin.clientParameter("supportedProtocols") == nil)
    }

    @Test(arguments: ["rps.test", "https://rps.test", "http://rps.test//", "https://rps.test/"])
    func findsTheIdentitiesOfABackend(_ name: String) async throws {
        let (device, user) = try await Device.with(.registered)
        #expect(try await device.mpin.users(ofBackend: name) == [user])
        #expect(try await device.mpin.users(ofBackend: "https://login.test").isEmpty)
    }

    @Test func forgetsEverythingButTheStore() async throws {
        let device = try await Device().ready()
        let mpin = device.mpin
        let user = try await device.user(.registered)
        try await mpin.setClientID("company2")
        try await mpin.startAuthentication(of: user)
        _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        #expect(await mpin.canLogout(user))
        try await mpin.startAuthentication(of: user)
        device.transport.forgetRequests()
        try await mpin.destroy()
        #expect(await !mpin.canLogout(user))
        for call in [
            { _ = try await mpin.allUsers() }, { _ = try await mpin.users() }, { try await mpin.logout(user) },
            { _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234")) },
        ] {
            await expect(.flowError) { try await call() }
        }
        #expect(device.transport.requests.isEmpty)

        try await mpin.initialize(customHeaders: [HTTPHeader("X-Site", "7")])
        #expect(try await mpin.allUsers() == [user])
        await expect(.flowError) { try await mpin.users() }
        try await mpin.setBackend(try WebAddress(ScriptedServer.url))
        #expect(headers(device, "X-MIRACL-CID") == ["project1"] && headers(device, "X-Site") == ["7"])
        // The authentication was started before the restart.
        await expect(.flowError) { try await mpin.finishAuthentication(of: user, pin: makePin("1234")) }
        try await mpin.startAuthentication(of: user)
        _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"))
    }

    /// The values of one header in the last request.
    private func headers(_ device: Device, _ name: String) -> [String] {
        device.transport.requests.last?.headers.filter { $0.name == name }.map(\.value) ?? []
    }
}
