// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// If the operator wants it, owners get a mail about each login.
@Suite struct LoginMailTests {
    private static func withEndpoint(
        _ dialect: Dialect, mailsLogins: Bool = true,
        _ body: @escaping @Sendable (RunningBackend, Device) async throws -> Void
    ) async throws {
        try await Device.withEndpoint(
            dialect,
            options: [
                "--site-name", "City library", "--trusted-proxy", "127.0.0.1", "--place", "hall=192.0.2.0/24",
            ] + (mailsLogins ? ["--mail-logins"] : [])
        ) { endpoint in
            let endpoint = try endpoint.from("192.0.2.8")
            try await body(endpoint, try await Device.registered(dialect, at: endpoint))
        }
    }

    private static func logIn(_ device: Device, at endpoint: RunningBackend, pin: String = "1234") async throws -> Int {
        let browser = Browser(try endpoint.below("").from("198.51.100.7"))
        _ = try await browser.get(endpoint.base + "/")
        let code = try await browser.anyCode(below: endpoint.base)
        guard pin == "1234" else { return try await device.logIn(code, pin: pin) }
        async let last = device.logIn(code, pin: pin)
        _ = try await browser.waitForLogin(endpoint.base + "/session")
        return try await last
    }

    private static func told(_ endpoint: RunningBackend) async throws -> [String] {
        try await endpoint.mails().filter { $0.string("subject") == "New login" }.compactMap { $0.string("text") }
    }

    @Test(arguments: Dialect.allCases)
    func theOwnerIsTold(_ dialect: Dialect) async throws {
        try await Self.withEndpoint(dialect) { endpoint, device in
            #expect(try await Self.logIn(device, at: endpoint, pin: "4321") == 401)
            #expect(try await Self.told(endpoint).isEmpty)
            endpoint.clock.advance(by: .seconds(10))
            #expect(try await Self.logIn(device, at: endpoint) == 200)
            let mail = try #require(try await Self.told(endpoint).first)
            for words in [
                "alice@example.com logged in at City library, 2026-11-21T12:00:10Z.", "Place of the device: hall.",
                "It logged in a browser at a different place.",
            ] { #expect(mail.contains(words), "\(mail)") }
            #expect(try await endpoint.mails().first?.string("to") == Device.userID)
        }
    }

    @Test func withoutTheSettingNobodyIs() async throws {
        try await Self.withEndpoint(.trust2025, mailsLogins: false) { endpoint, device in
            let status = try await Self.logIn(device, at: endpoint)
            #expect(status == 200)
            #expect(try await Self.told(endpoint).isEmpty)
        }
    }

    /// Logins do not flood a mailbox, and none is missing.
    @Test func fewMailsAnHour() async throws {
        try await Self.withEndpoint(.trust2025) { endpoint, device in
            for _ in 0..<LoginMails.mailsAnHour + 3 { #expect(try await Self.logIn(device, at: endpoint) == 200) }
            let told = try await Self.told(endpoint)
            #expect(told.count == LoginMails.mailsAnHour)
            #expect(told[0].contains("More logins in this hour will be reported in a later e-mail."))
            #expect(!told[1].contains("More logins"))
            endpoint.clock.advance(by: .seconds(3600))
            #expect(try await Self.logIn(device, at: endpoint) == 200)
            let later = try await Self.told(endpoint)
            #expect(later.count == LoginMails.mailsAnHour + 1)
            #expect(later[0].contains("More logins since the previous e-mail: 3."))
        }
    }
}
