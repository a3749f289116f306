// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// If the operator wants it, owners get a mail about each login.
@Suite struct LoginMailTests {
    private static func withPlace(
        _ dialect: Dialect, mailsLogins: Bool = true,
        _ body: @escaping @Sendable (RunningBackend, Device) async throws -> Void
    ) async throws {
        try await Device.withPlace(
            dialect,
            options: [
                "--site-name", "City library", "--trusted-proxy", "127.0.0.1", "--place", "hall=192.0.2.0/24",
            ] + (mailsLogins ? ["--mail-logins"] : [])
        ) { place in
            let place = try place.from("192.0.2.8")
            try await body(place, try await Device.registered(dialect, at: place))
        }
    }

    private static func logIn(_ device: Device, at place: RunningBackend, pin: String = "1234") async throws -> Int {
        let browser = Browser(try place.below("").from("198.51.100.7"))
        _ = try await browser.get(place.base + "/")
        let code = try await browser.anyCode(below: place.base)
        guard pin == "1234" else { return try await device.logIn(code, pin: pin) }
        async let last = device.logIn(code, pin: pin)
        _ = try await browser.waitForLogin(place.base + "/session")
        return try await last
    }

    private static func told(_ place: RunningBackend) async throws -> [String] {
        try await place.mails().filter { $0.string("subject") == "New login" }.compactMap { $0.string("text") }
    }

    @Test(arguments: Dialect.allCases)
    func theOwnerIsTold(_ dialect: Dialect) async throws {
        try await Self.withPlace(dialect) { place, device in
            #expect(try await Self.logIn(device, at: place, pin: "4321") == 401)
            #expect(try await Self.told(place).isEmpty)
            place.clock.advance(by: .seconds(10))
            #expect(try await Self.logIn(device, at: place) == 200)
            let mail = try #require(try await Self.told(place).first)
            for words in [
                "alice@example.com logged in at City library, 2026-11-21T12:00:10Z.", "Place of the device: hall.",
                "It logged in a browser at another place.",
            ] { #expect(mail.contains(words), "\(mail)") }
            #expect(try await place.mails().first?.string("to") == Device.userID)
        }
    }

    @Test func withoutTheSettingNobodyIs() async throws {
        try await Self.withPlace(.trust2025, mailsLogins: false) { place, device in
            let status = try await Self.logIn(device, at: place)
            #expect(status == 200)
            #expect(try await Self.told(place).isEmpty)
        }
    }

    /// Logins do not flood a mailbox, and none is missing.
    @Test func fewMailsAnHour() async throws {
        try await Self.withPlace(.trust2025) { place, device in
            for _ in 0..<LoginMails.mailsAnHour + 3 { #expect(try await Self.logIn(device, at: place) == 200) }
            let told = try await Self.told(place)
            #expect(told.count == LoginMails.mailsAnHour)
            #expect(told[0].contains("More logins in this hour will be reported in a later e-mail."))
            #expect(!told[1].contains("More logins"))
            place.clock.advance(by: .seconds(3600))
            #expect(try await Self.logIn(device, at: place) == 200)
            let later = try await Self.told(place)
            #expect(later.count == LoginMails.mailsAnHour + 1)
            #expect(later[0].contains("More logins since the previous e-mail: 3."))
        }
    }
}
