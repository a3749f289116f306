// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A page that was opened for one person admits no other.
@Suite(.timeLimit(.minutes(10))) struct NamedSessionTests {
    static let dialects: [Dialect] = [.mfaV2, .trust2023, .trust2025]

    private static func page(for userID: String, at client: OwnClient) async throws -> WaitingBrowser {
        try await client.session(["userId": .string(userID)])
    }

    /// The page is for Bob and the card is Alice's, so no PIN is asked for.
    @Test(arguments: dialects) func aCardOfAnotherPersonIsRefused(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let card = try await client.card(of: try await client.register())
            let page = try await Self.page(for: "bob@example.com", at: client)
            try await client.atAnotherKiosk { person, _ in
                try await person.show(card: card)
                person.scanner.show(page.qrText(at: client.backend))
                try await person.outcome(.cardOfSomebodyElse)
            }
            #expect(try await page.user(at: client.backend) == nil)
        }
    }

    /// The backend refuses a client that ignores the page's user, with any PIN, and counts nothing.
    @Test(arguments: dialects) func theBackendRefusesAnotherPerson(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let alice = try await client.register()
            for pin in ["1234", "9999", "9999", "9999", "1234"] {
                let page = try await Self.page(for: "bob@example.com", at: client)
                try await client.mpin.startAuthentication(of: alice, accessCode: page.code)
                let error = await #expect(throws: MPinError.self) {
                    _ = try await client.mpin.finishAuthentication(
                        of: alice, pin: try newPIN(pin), accessCode: page.code)
                }
                #expect(error?.kind == .sessionExpired)
                #expect(try await page.user(at: client.backend) == nil)
            }
            // In another spelling it is her own.
            let own = try await Self.page(for: "ALICE@example.com", at: client)
            #expect(try await client.logIn(alice, at: own).user == "alice@example.com")
        }
    }

    /// A card with Bob's name and Alice's secret, made with the fleet's key. It would show Bob and log Alice in.
    @Test(arguments: dialects) func aCardIsNamedByItsUser(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let portable = try await client.mpin.portableIdentity(of: try await client.register())
            let renamed = StoredIdentity(
                key: IdentityKey(userID: "bob@example.com", backend: portable.key.backend), record: portable.record)
            #expect(MPin.isNamedByItsUser(portable) && !MPin.isNamedByItsUser(renamed))
            let elsewhere = try await client.anotherDevice()
            let error = await #expect(throws: MPinError.self) { try await elsewhere.mpin.takeGuest(renamed) }
            #expect(error?.kind == .misuse)
        }
    }
}
