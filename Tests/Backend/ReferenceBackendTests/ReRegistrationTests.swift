// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Patience
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// The same person registers again and gets a new identity without the old one's state.
@Suite struct ReRegistrationTests {
    @Test func aBlockedPersonRegistersAgainWithACleanCount() async throws {
        try await withBackend { backend in
            let old = try await Device.registered(.milagro, at: backend)
            for status in [401, 401, 410] {
                #expect(try await old.logIn(pin: "9999").status == status)
                backend.clock.letDelaysPass()
            }
            let new = try await Device.registered(.milagro, pin: "5678", at: backend)
            #expect(new.mpinIDHex != old.mpinIDHex)
            for (pin, status) in [("1234", 401), ("9999", 401), ("5678", 200)] {
                #expect(try await new.logIn(pin: pin).status == status)
                backend.clock.letDelaysPass()
            }
            // The old one stays invalid.
            #expect(try await old.logIn(pin: "1234").status == 410)
        }
    }

    @Test func bothIdentitiesOfAPersonLogIn() async throws {
        try await withBackend { backend in
            let kiosk = try await Device.registered(.milagro, at: backend)
            let phone = try await Device.registered(.milagro, pin: "5678", at: backend)
            #expect(try await kiosk.logIn().status == 200)
            #expect(try await phone.logIn(pin: "5678").status == 200)
            // Each has its own PIN.
            #expect(try await phone.logIn(pin: "1234").status == 401)
        }
    }

    @Test func aRevokedPersonMayRegisterAgain() async throws {
        try await withBackend { backend in
            let old = try await Device.registered(.milagro, at: backend)
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.revoke(userID: "alice@example.com") == 1)
            let new = try await Device.registered(.milagro, at: backend)
            #expect(try await new.logIn().status == 200)
            #expect(try await backend.client.get("/rps/timePermit/\(old.mpinIDHex)").status == 410)
        }
    }
}
