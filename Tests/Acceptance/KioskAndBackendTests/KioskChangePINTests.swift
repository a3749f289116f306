// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskMachine
import KioskPorts
import KioskTestKit
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Changing the PIN by the kiosk's keys and screens, with a running backend of every dialect.
@Suite(.timeLimit(.minutes(5))) struct KioskChangePINTests {
    @Test(arguments: DialectFlow.dialects) func theNewOneWorksAndTheOldOneDoesNot(
        _ dialect: Dialect
    ) async throws {
        try await withClient(dialect) { client in
            _ = try await client.enrol()
            try await KioskPerson.unhurried(client).run { person in
                try await person.changePIN(from: "1234", to: "7392")
                try await person.outcome(.pinChanged)
                try await person.showIdentity()
                person.keypad.press(.digit(2), .digit(2))
                try await person.typePIN("1234")
                try await person.screen.view(at: .wrongPIN)
                try await person.leaveErrand()
                client.backend.clock.letDelaysPass()
                try await person.showIdentity()
                person.keypad.press(.digit(2), .digit(2))
                try await person.typePIN("7392")
                try await person.outcome(.identityDeleted)
            }
        }
    }

    /// The server judges and counts the old PIN. The identity stays unchanged.
    @Test(arguments: DialectFlow.dialects) func aWrongOldPINChangesNothing(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            let user = try await client.enrol()
            try await KioskPerson.unhurried(client).run { person in
                try await person.changePIN(from: "4321", to: "7392")
                try await person.screen.view(at: .wrongPIN)
                try await person.leaveErrand()
                // The same PIN again is refused before anything is sent.
                try await person.begin(.changePIN)
                try await person.typePIN()
                try await person.typePIN(at: .newPIN)
                try await person.screen.view { $0.hint == Prompt(.newPINUnchanged) }
                try await person.leaveErrand()
            }
            // After a wrong PIN the backend delays the next verdict.
            client.backend.clock.letDelaysPass()
            let tried = try #require(try await client.mpin.user(user.key))
            #expect(tried.tries == 1 && tried.state == .registered)
            try await client.expectUnchanged(tried)
        }
    }
}

extension KioskPerson {
    /// Goes from the menu to the server's answer.
    fileprivate func changePIN(from old: String, to new: String) async throws {
        try await begin(.changePIN)
        try await typePIN(old)
        for stage in [KioskStage.newPIN, .newPINAgain] { try await typePIN(new, at: stage) }
    }
}
