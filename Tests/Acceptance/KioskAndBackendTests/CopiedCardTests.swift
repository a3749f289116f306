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

/// A copy of a device or card is tried twice between each two logins of its owner.
@Suite(.timeLimit(.minutes(10))) struct CopiedCardTests {
    /// The owner's device and the attacker's copy.
    private struct Attack {
        let client: OwnClient
        let owner: User
        let thief: OwnClient
        let copy: User

        init(at client: OwnClient) async throws {
            self.client = client
            owner = try await client.register()
            thief = try await client.anotherDevice()
            copy = try await thief.mpin.takeGuest(try await client.mpin.portableIdentity(of: owner))
        }

        /// - Returns: the result of a thief's wrong PIN.
        func tries() async throws -> MPinError.Kind? {
            client.backend.clock.letDelaysPass()
            return try await thief.failure(copy, pin: "9999")?.kind
        }

        /// - Returns: the wrong PINs that the owner is told of at a login.
        func logsIn() async throws -> MPinClient.WrongPINs? {
            client.backend.clock.letDelaysPass()
            return try await client.logIn(owner, at: try await client.session()).login.wrongPINs
        }

        func warnings() async throws -> Int {
            let mails = try await client.backend.mails()
            return mails.count { $0.string("subject") == "Wrong PINs" }
        }
    }

    /// At six the owner gets a mail. At twenty the device gets a new key, which makes the copy worthless.
    @Test(arguments: [Dialect.trust2023, .trust2025, .mfaV2])
    func isToldAndVoided(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let attack = try await Attack(at: client)
            for round in 1...10 {
                for _ in 1...2 { #expect(try await attack.tries() == .wrongPIN) }
                #expect(try await attack.warnings() == (round < 3 ? 0 : round < 10 ? 1 : 2), "\(round)")
                let now = client.backend.clock.now.seconds
                let heard = try #require(try await attack.logsIn())
                #expect(heard.count == 2 && heard.last <= now && heard.last > now - 60)
                #expect(try await attack.logsIn() == nil)
            }
            // Even with the right PIN.
            #expect(try await attack.thief.failure(attack.copy, pin: "1234") != nil)
            #expect(try await attack.logsIn() == nil)
            let users = try await client.state.users()
            #expect(users.first { $0.status == .registered }?.needsRenewal == false)
        }
    }

    /// A dialect without new secrets blocks the identity. Until then the owner can log in, and the copy never.
    @Test func aClassicIdentityIsBlocked() async throws {
        try await withClient(.milagro) { client in
            let attack = try await Attack(at: client)
            for _ in 1...9 {
                for _ in 1...2 { #expect(try await attack.tries() == .wrongPIN) }
                client.backend.clock.letDelaysPass()
                try await client.logIn(attack.owner)
            }
            #expect(try await attack.tries() == .wrongPIN)
            #expect(try await attack.tries() == .blocked)
            #expect(try await attack.warnings() == 2)
        }
    }

    /// The outcome screen shows the number and time of wrong PINs.
    @Test(arguments: [Dialect.milagro, .trust2025]) func theKioskTellsTheOwner(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let attack = try await Attack(at: client)
            for _ in 1...2 { _ = try await attack.tries() }
            client.backend.clock.letDelaysPass()
            try await KioskPerson(client, clock: ManualClock()).run { person in
                for facts in [1, 0] {
                    let user = try await person.logIn(try await client.session(), at: client)
                    #expect(user == "alice@example.com")
                    let lines = person.screen.views.last?.lines.filter { $0.values[.number] == "2" } ?? []
                    #expect(lines.count == facts)
                    let keys: Set<PromptKey> = [.wrongPINsToday, .wrongPINsYesterday, .wrongPINsEarlier]
                    #expect(lines.allSatisfy { keys.contains($0.key) && $0.values[.time]?.isEmpty == false })
                    person.keypad.press(.enter)
                    client.backend.clock.letDelaysPass()
                }
            }
        }
    }
}
