// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The tasks of the menu, by the kiosk's keys and screens, at a running backend. `Tests/flows` has those that succeed.
@Suite(.timeLimit(.minutes(10))) struct KioskTaskTests {
    static let alice = "alice@example.com"

    @Test(arguments: [Dialect.milagro, .trust2025])
    func whatABackendDoesNotHaveIsSaid(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.register()
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(dialect.isTrust ? .oneTimePassword : .registrationCode)
                try await person.outcome(.taskNotOffered)
                guard !dialect.isTrust else { return }
                try await person.begin(.verification, as: "bob@example.com")
                try await person.outcome(.taskNotOffered)
            }
            try await client.expectUnchanged(user)
        }
    }

    /// The classic server ignores the code and waits for a mail. The other one requires a browser's session.
    @Test(arguments: [Dialect.milagro, .mfaV1])
    func aCodeWhereThereAreNone(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.registerWithCode, as: Self.alice)
                try await person.type("000000", at: .activationEntry)
                try await person.outcome(.taskNotOffered)
                // The kiosk does not wait for the deletion, so the next task may find nobody.
                try await person.begin(.identities)
                try await person.outcome(.identitiesNone)
            }
            #expect(try await client.storage.identities().isEmpty)
        }
    }

    /// A device that was registered with a registration code, scanned here, makes none itself.
    @Test func aScannedCodeRegistersNoFurtherDevice() async throws {
        try await withClient(.trust2025) { first in
            let code = try await first.code(by: try await first.register()).text
            try await KioskPerson.unhurried(try await first.anotherDevice()).run { person in
                try await person.begin(.registerWithCode, as: Self.alice)
                try await person.screen.view(at: .activationEntry)
                person.scanner.show(code)
                try await person.screen.view { $0.hint == Prompt(.activationRead) }
                person.keypad.press(.enter)
                try await person.choosePIN()
                try await person.begin(.registrationCode)
                try await person.typePIN()
                try await person.outcome(.taskNotAllowed)
            }
        }
    }

    /// Of two doors only the one opens that the card names.
    @Test func aCardOpensItsDoorAlone() async throws {
        try await withClient(.mfaV2) { client in
            let user = try await client.register()
            let (main, lab) = (FakeDoor(), FakeDoor())
            let kiosk = try KioskPerson(client, doors: [("Main entrance", main), ("Lab", lab)], clock: ManualClock())
            try await kiosk.run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show("login-kiosk:door/Lab")
                try await person.screen.view { $0.title == Prompt(.doorPINTitle, [.name: "Lab"]) }
                try await person.typePIN()
                try await person.outcome(.doorOpened)
            }
            #expect(lab.people == [user.identity] && main.people.isEmpty)
        }
    }

    /// After a person has left, their number leads to nobody else.
    @Test func identitiesKeepTheirNumbers() async throws {
        try await withClient(.trust2025) { client in
            let alice = try await client.register("alice@example.com")
            _ = try await client.register("bob@example.com")
            try await client.mpin.deleteUser(alice)
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.verification, as: "carol@example.com")
                try await person.typeMailedCode(client)
                #expect(person.screen.views.contains { $0.title == Prompt(.registrationDone, [.number: "3"]) })
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
    @Test func identitiesThatWereNeverFinishedAreDeleted() async throws {
        try await withClient(.milagro) { client in
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
