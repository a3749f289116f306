// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A stranger at a whole kiosk types PINs for others to block them, with a running backend.
@Suite(.timeLimit(.minutes(10))) struct KioskLockOutTests {
    private static let people = ["alice@example.com", "bob@example.com", "carol@example.com"]
    private static let tasks: [(Dialect, KioskTask)] = [
        (.milagro, .oneTimePassword), (.mfaV2, .oneTimePassword), (.mfaV2, .localLogin), (.mfaV2, .registrationCode),
        (.mfaV2, .changePIN), (.trust2025, .registrationCode), (.trust2025, .changePIN),
    ]

    /// Menu, entry, number, four digits, for everybody, again and again. Nobody is blocked, at the kiosk or the
    /// server.
    @Test(arguments: tasks) func nobodyIsBlocked(_ dialect: Dialect, _ task: KioskTask) async throws {
        try await withClient(dialect) { client in
            for name in Self.people { _ = try await client.register(name) }
            let clock = ManualClock()
            let kiosk = try KioskPerson(client, doors: [("Front", FakeDoor())], clock: clock)
            try await kiosk.run { person in
                for round in 0..<4 {
                    // The delay is over. The kiosk rests meanwhile, and a key wakes it.
                    try await person.screen.view(at: .scan)
                    clock.advance(by: .seconds(7200))
                    try await person.screen.view { $0.restStep != nil }
                    person.keypad.press(.clear)
                    try await person.screen.view { $0.restStep == nil }
                    for number in 1...3 {
                        client.backend.clock.letDelaysPass()
                        let isAsked = round < 2
                        try await Self.guess(number, task, person, isAsked: isAsked)
                    }
                }
            }
            for user in try await client.mpin.users() {
                #expect(user.state == .registered && user.tries == 2)
                client.backend.clock.letDelaysPass()
                try await client.logIn(user)
            }
            #expect(try await client.mpin.users().count == 3)
        }
    }

    private static func guess(
        _ number: Int, _ task: KioskTask, _ person: KioskPerson, isAsked: Bool
    ) async throws {
        try await person.begin(task)
        try await person.type("\(number)", at: .identityChoice)
        guard isAsked else {
            try await person.screen.view { $0.title == Prompt(.triesUsed) }
            return try await person.leaveTask()
        }
        try await person.typePIN("9999")
        if task == .changePIN {
            try await person.typePIN("2583", at: .newPIN)
            try await person.typePIN("2583", at: .newPINAgain)
        }
        try await person.outcome(.wrongPIN)
    }

    /// After three wrong PINs within ten minutes people whom no page names must wait, and the kiosk says so.
    @Test func strangersWait() async throws {
        try await withClient(.mfaV2) { client in
            for name in Self.people { _ = try await client.register(name) }
            let clock = ManualClock()
            try await KioskPerson(client, clock: clock).run { person in
                for number in 1...3 { try await Self.guess(number, .oneTimePassword, person, isAsked: true) }
                try await person.begin(.registrationCode)
                try await person.type("1", at: .identityChoice)
                try await person.outcome(.unverifiedWait)
                clock.advance(by: .seconds(61))
                client.backend.clock.letDelaysPass()
                try await person.begin(.registrationCode)
                try await person.type("1", at: .identityChoice)
                try await person.typePIN()
                _ = try await person.issuedCode()
            }
            // The right PIN has restored the attempts.
            #expect(try await client.mpin.users().map(\.tries) == [0, 1, 1])
        }
    }

    /// A power cut gives nobody more attempts.
    @Test func aRestartGivesNoTries() async throws {
        try await withClient(.mfaV2) { client in
            for name in Self.people { _ = try await client.register(name) }
            for round in 0..<3 {
                let again = try await client.anotherStart()
                // The server's own delay after a wrong PIN.
                client.backend.clock.letDelaysPass()
                try await KioskPerson.unhurried(again).run { person in
                    try await Self.guess(1, .oneTimePassword, person, isAsked: round < 2)
                }
            }
            client.backend.clock.letDelaysPass()
            try await client.logIn(try #require(try await client.mpin.users().first))
        }
    }

    /// Blocked elsewhere and unblocked by the operator: the kiosk still has the person's identity.
    @Test(arguments: [Dialect.milagro, .trust2025]) func unblockBringsThePersonBack(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.register()
            try await client.block(user.identity)
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.identities)
                try await person.screen.view(at: .identityDetails)
                person.keypad.press(.digit(2), .digit(2))
                try await person.typePIN()
                _ = try await person.screen.view(at: .outcome)
                person.keypad.press(.enter)
                try await person.screen.view(at: .scan)
                // The platform's refusal before the PIN counts over https only.
                if try await client.mpin.user(user.key)?.state == .blocked {
                    try await person.begin(.identities)
                    try await person.screen.view(at: .identityDetails)
                    // Meanwhile nobody can delete it.
                    #expect(person.screen.views.last?.actions.contains { $0.label.key == .actionDelete } == false)
                    person.keypad.press(.back)
                }
                _ = try await client.state.unblock(userID: user.identity)
                client.backend.clock.letDelaysPass()
                try await person.begin(.changePIN)
                if try await client.mpin.user(user.key)?.state == .blocked {
                    try await person.screen.view { $0.title == Prompt(.blockedTitle) }
                    person.keypad.press(.enter)
                }
                try await person.typePIN()
                try await person.typePIN("2583", at: .newPIN)
                try await person.typePIN("2583", at: .newPINAgain)
                try await person.outcome(.pinChanged)
            }
            let now = try #require(try await client.stored(user))
            #expect(now.state == .registered && now.tries == 0 && now.mpinID == user.mpinID)
        }
    }

    /// The MFA platform registers for pages and doors only. The menu says so, and loses nothing.
    @Test(arguments: [Dialect.mfaV1, .mfaV2])
    func aRenewalWithoutAPageIsTold(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.register()
            try await client.mpin.setTries(2, of: user)
            let before = try await client.storage.identities()
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.changePIN)
                try await person.screen.view { $0.title == Prompt(.triesUsed) }
                person.keypad.press(.digit(1))
                try await person.screen.view { $0.title == Prompt(.renewalNeedsPage) }
            }
            #expect(try await client.storage.identities() == before)
        }
    }

    /// Today's platform verifies the address. A device that has the user already gets the code alone, otherwise a link,
    /// too.
    @Test func aCodeOfAMailRenews() async throws {
        try await withClient(.trust2025) { client in
            let user = try await client.register()
            try await client.mpin.setTries(2, of: user)
            client.backend.clock.advance(by: .seconds(700))
            try await KioskPerson.unhurried(client).run { person in
                try await person.begin(.changePIN)
                try await person.screen.view { $0.title == Prompt(.triesUsed) }
                person.keypad.press(.digit(1))
                // Before the kiosk asks for the code, the newest mail is another one.
                try await person.screen.view(at: .activationEntry)
                let shown = try #require(person.screen.views.last { $0.stage == .activationEntry })
                let mail = try #require(try await client.backend.mails().first)
                let help = mail.string("link") == nil ? PromptKey.verificationHelpCode : .verificationHelp
                #expect(shown.lines.last?.key == help)
                try await person.type(try #require(mail.string("code")), at: .activationEntry)
                try await person.typePIN("2583", at: .newPIN)
                try await person.typePIN("2583", at: .newPINAgain)
                // The person continues with the original task.
                try await person.typePIN("2583")
                try await person.typePIN("3694", at: .newPIN)
                try await person.typePIN("3694", at: .newPINAgain)
                try await person.outcome(.pinChanged)
            }
            let now = try #require(try await client.mpin.users().first)
            #expect(now.state == .registered && now.tries == 0 && now.mpinID != user.mpinID)
        }
    }
}

extension OwnClient {
    /// The same device after a power cut.
    fileprivate func anotherStart() async throws -> OwnClient {
        let next = OwnClient(
            backend: backend, dialect: dialect, network: network, storage: storage, trust: trust,
            mpin: MPin(
                transport: network, storage: storage, trust: trust,
                configuration: MPin.Configuration(companyID: companyID, clientVersion: "1.0"),
                wallClock: { [clock = backend.clock] in clock.now.seconds }, logger: backend.log.logger))
        try await next.mpin.initialize()
        return next
    }
}
