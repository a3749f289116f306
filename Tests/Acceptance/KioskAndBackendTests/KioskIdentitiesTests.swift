// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskMachine
import KioskPorts
import KioskTestKit
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Showing and deleting an identity, by the kiosk's keys and screens.
@Suite(.timeLimit(.minutes(5))) struct KioskIdentitiesTests {
    @Test(arguments: DialectFlow.dialects) func goOnlyWithTheirPIN(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let alice = try await client.enrol("alice@example.com")
            let bob = try await client.enrol("bob@example.com")
            try await KioskPerson.unhurried(client).run { person in
                try await person.showIdentity(2)
                let details = try #require(person.screen.views.last)
                #expect(details.lines.first == Prompt(.pinUser, [.user: "b…@example.com"]))
                #expect(
                    details.lines.suffix(2) == [Prompt(.identityNumber, [.number: "2"]), Prompt(.stateRegistered)])
                person.keypad.press(.digit(2), .digit(2))
                try await person.typePIN("9876")
                try await person.outcome(.wrongPIN)
                let users = try await client.mpin.users()
                #expect(users.map(\.identity) == [alice, bob].map(\.identity) && users.map(\.tries) == [0, 1])
                client.backend.clock.letDelaysPass()
                try await person.showIdentity(2)
                person.keypad.press(.digit(2), .digit(2))
                try await person.typePIN()
                try await person.outcome(.identityDeleted)
                #expect(try await client.mpin.users() == [alice])
            }
            try await client.expectUnchanged(alice)
        }
    }

    /// After a person has left, their number leads to nobody else.
    @Test(arguments: [Dialect.mfaV2, .trust2025]) func keepTheirNumbers(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let alice = try await client.enrol("alice@example.com")
            _ = try await client.enrol("bob@example.com")
            try await client.mpin.deleteUser(alice)
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.verification, as: "carol@example.com")
                try await person.typeMailedCode(client)
                #expect(person.screen.views.contains { $0.title == Prompt(.enrolled, [.number: "3"]) })
                try await person.begin(.identities)
                try await person.type("1", at: .identityChoice)
                try await person.screen.view { $0.hint == Prompt(.choiceUnknown) }
                for (number, user) in [(2, "b…@example.com"), (3, "c…@example.com")] {
                    try await person.type("\(number)", at: .identityChoice)
                    try await person.screen.view(at: .identityDetails)
                    let details = try #require(person.screen.views.last)
                    #expect(details.lines.first == Prompt(.pinUser, [.user: user]))
                    #expect(details.lines.contains(Prompt(.identityNumber, [.number: "\(number)"])))
                    person.keypad.press(.back)
                }
            }
        }
    }

    /// An identity without a PIN cannot ask for one.
    @Test(arguments: [Dialect.milagro, .mfaV1, .mfaV2])
    func thatWereNeverFinished(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.mpin.startRegistration(
                of: await client.mpin.makeNewUser("alice@example.com"), accessCode: try await client.session().code)
            try await KioskPerson.unhurried(client).run { person in
                try await person.showIdentity()
                #expect(person.screen.views.last?.lines.last == Prompt(.stateStartedRegistration))
                person.keypad.press(.digit(2), .digit(2))
                try await person.outcome(.identityDeleted)
                try await person.begin(.identities)
                try await person.outcome(.identitiesNone)
            }
            #expect(try await client.storage.identities().isEmpty)
        }
    }
}
