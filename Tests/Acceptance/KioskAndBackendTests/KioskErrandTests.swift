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

/// The errands of the menu, by the kiosk's keys and screens, with every backend that supports them.
@Suite(.timeLimit(.minutes(5))) struct KioskErrandTests {
    static let alice = "alice@example.com"

    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits, .mfaV1, .mfaV2])
    func aOneTimePassword(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.enrol()
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.oneTimePassword)
                try await person.typePIN()
                let password = try await person.issuedCode()
                #expect((4...16).contains(password.count) && password.allSatisfy(\.isNumber))
            }
        }
    }

    @Test(arguments: [Dialect.milagro, .mfaV1, .trust2023, .trust2025])
    func whatABackendDoesNotHaveIsSaid(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.enrol()
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(dialect.isTrust ? .oneTimePassword : .quickCode)
                try await person.outcome(.errandNotOffered)
                guard !dialect.isTrust else { return }
                try await person.begin(.verification, as: "bob@example.com")
                try await person.outcome(.errandNotOffered)
            }
            try await client.expectUnchanged(user)
        }
    }

    /// The classic server ignores the code and waits for a mail. The other one requires a browser's session.
    @Test(arguments: [Dialect.milagro, .mfaV1])
    func aCodeWhereThereAreNone(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.enrolment, as: Self.alice)
                try await person.type("000000", at: .activationEntry)
                try await person.outcome(.errandNotOffered)
                // The kiosk does not wait for the deletion, so the next errand may find nobody.
                try await person.begin(.identities)
                try await person.outcome(.identitiesNone)
            }
            #expect(try await client.storage.identities().isEmpty)
        }
    }

    /// A code on the first kiosk enrols the same person at the second, once.
    @Test(
        arguments: [Dialect.mfaV2, .trust2023, .trust2025], [true, false])
    func anotherDevice(_ dialect: Dialect, isScanned: Bool) async throws {
        try await withClient(dialect) { first in
            let user = try await first.enrol()
            let code = try await KioskPerson.unhurried(first).quickCode()
            let second = try await first.anotherDevice()
            try await KioskPerson.unhurried(second).run { person in
                try await person.begin(.enrolment, as: Self.alice)
                try await person.screen.view(at: .activationEntry)
                if isScanned {
                    person.scanner.show(code)
                    try await person.screen.view { $0.hint == Prompt(.activationRead) }
                    person.keypad.press(.enter)
                } else {
                    try await person.type(code, at: .activationEntry)
                }
                try await person.choosePIN()
                #expect(try await person.logIn(try await second.session(), at: second) == Self.alice)
                try await person.outcome(.success)
                // A device that was enrolled with a code makes none.
                try await person.begin(.quickCode)
                try await person.typePIN()
                try await person.outcome(.errandNotAllowed)
            }
            let enrolled = try #require(try await second.mpin.users().first)
            #expect(enrolled.state == .registered && enrolled.mpinID != user.mpinID)
            try await second.expectUnchanged(enrolled)
            try await first.expectUnchanged(user)
        }
    }

    /// Wrong, used or expired: the person is told, and nothing is stored.
    @Test(arguments: [Dialect.mfaV2, .trust2023, .trust2025])
    func aCodeThatIsNotGood(_ dialect: Dialect) async throws {
        try await withClient(dialect) { first in
            _ = try await first.enrol()
            let used = try await KioskPerson.unhurried(first).quickCode()
            let second = try await first.anotherDevice()
            _ = try await second.register(
                await second.mpin.makeNewUser(Self.alice), code: SecretBytes(copying: Array(used.utf8)))
            let expired = try await KioskPerson.unhurried(first).quickCode()
            first.backend.clock.advance(by: .seconds(301))
            let third = try await first.anotherDevice()
            try await KioskPerson.unhurried(third).run { person in
                try await person.begin(.enrolment, as: Self.alice)
                for code in ["000000", used, expired] {
                    try await person.typeInVain(code)
                    #expect(try await third.mpin.users().isEmpty)
                    #expect(try await third.storage.identities().isEmpty)
                }
                try await person.leaveErrand()
            }
        }
    }

    /// The digits of a code disappear when it expires.
    @Test(arguments: [Dialect.mfaV2, .trust2025])
    func theTimeOfACode(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.enrol()
            let clock = ManualClock()
            try await KioskPerson(client, clock: clock).run { person in
                try await person.begin(.quickCode)
                try await person.typePIN()
                try await person.screen.view(at: .issuedCode)
                var times: [Prompt] = []
                while let view = person.screen.views.last, view.stage == .issuedCode {
                    times.append(try #require(view.lines.last))
                    clock.advance(by: .seconds(10))
                    try await person.screen.view { $0.lines != view.lines }
                }
                #expect(times.first == Prompt(.codeTimeLeft, [.seconds: "300"]))
                #expect(times.last == Prompt(.codeTimeLeft, [.seconds: "1"]))
                let end = try #require(person.screen.views.last)
                #expect(end.stage == .scan && end.entry == .none && end.hint == Prompt(.quickCodeExpired))
            }
        }
    }
}
