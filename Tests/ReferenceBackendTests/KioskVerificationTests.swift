// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing
@testable import ReferenceBackend

/// Registering at the kiosk with an address that a mail verifies, by its keys and screens.
@Suite(.timeLimit(.minutes(5))) struct KioskVerificationTests {
    static let dialects: [Backend.Dialect] = [.mfaV2, .trust2023, .trust2025]
    static let alice = "alice@example.com"

    @Test(arguments: dialects) func theCodeOfTheMailTyped(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { client in
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.verification, as: Self.alice)
                try await person.typeInVain("000000")
                let late = try await client.newestCodeText()
                client.backend.clock.advance(by: .seconds(3601))
                try await person.typeInVain(late)
                #expect(try await client.mpin.users().map(\.state) == [.startedVerification])
                try await person.leaveErrand()
                try await person.begin(.verification, as: Self.alice)
                try await person.typeMailedCode(client)
                #expect(try await person.logIn(try await client.session(), at: client) == Self.alice)
            }
            try await client.expectUnchanged(try #require(try await client.mpin.users().first))
        }
    }

    /// The person walks off and comes back: a second mail has to wait, but the first one's link is good.
    @Test(arguments: dialects) func theLinkOfTheMailScanned(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { client in
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.verification, as: Self.alice)
                try await person.screen.view(at: .activationEntry)
                try await person.leaveErrand()
                try await person.begin(.verification, as: Self.alice)
                try await person.screen.view { $0.hint == Prompt(.verificationRefused) }
                #expect(try await client.backend.mails().count == 1)
                try await person.leaveErrand()
                person.scanner.show(try #require(try await client.backend.mails().first?.string("link")))
                try await person.choosePIN()
                #expect(try await person.logIn(try await client.session(), at: client) == Self.alice)
            }
            try await client.expectUnchanged(try #require(try await client.mpin.users().first))
        }
    }
}
