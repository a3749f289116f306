// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// Cards beside a kiosk with two doors, from the scan to the open door, with a running platform.
@Suite(.timeLimit(.minutes(5))) struct DoorCardTests {
    @Test func aCardOpensItsDoorForWhoeverTypesThePIN() async throws {
        try await withClient(.mfaV2) { client in
            _ = try await client.enrol()
            let (main, lab) = (FakeDoor(), FakeDoor())
            let doors: [(String, any Door)] = [("Main entrance", main), ("Lab", lab)]
            try await KioskPerson(client, doors: doors).run { person in
                try await person.screen.view(at: .scan)
                // A card for another kiosk's door gives a remark.
                person.scanner.show("login-kiosk:door/Vault")
                try await person.screen.view { $0.stage == .scan && $0.hint == Prompt(.cardNotOffered) }
                person.scanner.show("login-kiosk:door/Lab")
                try await person.screen.view { $0.title == Prompt(.doorPINTitle, [.name: "Lab"]) }
                try await person.typePIN("9999")
                try await person.screen.view(at: .wrongPIN)
                #expect(lab.people.isEmpty)
                client.backend.clock.advance(by: .seconds(8))
                try await person.typePIN()
                try await person.outcome(.doorOpened)
                #expect(lab.people == ["alice@example.com"] && main.people.isEmpty)
                person.scanner.show("login-kiosk:door/Main%20entrance")
                try await person.screen.view { $0.title == Prompt(.doorPINTitle, [.name: "Main entrance"]) }
                try await person.typePIN()
                try await person.outcome(.doorOpened)
                #expect(lab.people == ["alice@example.com"] && main.people == ["alice@example.com"])
            }
        }
    }
}
