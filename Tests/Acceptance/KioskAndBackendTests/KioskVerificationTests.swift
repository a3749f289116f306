// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Registering at the kiosk with an address that a mail verifies, by its keys and screens.
@Suite(.timeLimit(.minutes(10))) struct KioskVerificationTests {
    static let alice = "alice@example.com"

    /// The person leaves and comes back. A second mail is delayed, but the first one's code and link work.
    @Test func theLinkOfTheFirstMailWorks() async throws {
        try await withClient(.trust2025) { client in
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.verification, as: Self.alice)
                try await person.screen.view(at: .activationEntry)
                try await person.leaveTask()
                try await person.begin(.verification, as: Self.alice)
                try await person.screen.view(at: .activationEntry)
                #expect(try await client.backend.mails().count == 1)
                try await person.leaveTask()
                person.scanner.show(try await client.backend.mailedPage())
                try await person.choosePIN()
                #expect(try await person.logIn(try await client.session(), at: client) == Self.alice)
            }
            try await client.expectUnchanged(try #require(try await client.mpin.users().first))
        }
    }

    /// A session may omit what the newest clients do not read. The consent screen shows the host, and the person
    /// chooses the length of the PIN.
    @Test func aSessionMaySayLittle() async throws {
        try await withClient(.trust2025) { client in
            client.network.hide([
                "projectName", "projectLogoURL", "pinLength", "identityType", "identityTypeLabel", "verificationMethod",
            ])
            try await KioskPerson.unhurried(client).run { person in
                let browser = try await client.session()
                try await person.comeNew(with: browser, at: client)
                let consent = try #require(person.screen.views.last { $0.stage == .consent })
                let host = OwnClient.name(of: client.backend)
                #expect(consent.lines == [Prompt(.consentDomain, [.domain: host]), Prompt(.consentNobody)])
                try await person.type(try await client.newestCodeText(), at: .activationEntry)
                try await person.typePIN("25836", at: .newPIN)
                try await person.typePIN("25836", at: .newPINAgain)
                try await person.typePIN("25836")
                try await person.outcome(.success)
                #expect(try await browser.user(at: client.backend) == Self.alice)
            }
            #expect(try await client.mpin.users().map(\.pinLength) == [5])
        }
    }

    /// The mail took longer than the page waits. The person is registered, and logs in with the next code.
    @Test func aPageThatDidNotWaitIsTold() async throws {
        try await withClient(.trust2025) { client in
            try await KioskPerson.unhurried(client).run { person in
                try await person.comeNew(with: try await client.session(), at: client)
                client.backend.clock.advance(by: LoginSession.lifetime)
                try await person.type(try await client.newestCodeText(), at: .activationEntry)
                try await person.typePIN(at: .newPIN)
                try await person.typePIN(at: .newPINAgain)
                try await person.typePIN()
                try await person.outcome(.sessionExpired)
                #expect(try await person.logIn(try await client.session(), at: client) == Self.alice)
            }
        }
    }
}

extension KioskPerson {
    /// Scans a login page, agrees, and types an address that is not registered here.
    ///
    /// Returns when the mail was sent.
    fileprivate func comeNew(with browser: WaitingBrowser, at client: OwnClient) async throws {
        try await screen.view(at: .scan)
        scanner.show(browser.qrText(at: client.backend))
        try await screen.view(at: .consent)
        keypad.press(.enter)
        try await type(KioskVerificationTests.alice, at: .identityEntry)
        try await screen.view(at: .activationEntry)
    }
}
