// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The lasting content of the state directory.
@Suite struct RestartTests {
    @Test func identitiesAndFailuresSurvive() async throws {
        let state = TemporaryFolder()
        let clock = ManualWallClock()
        let device = try await withBackend(state: state, clock: clock) { backend in
            let device = try await Device.registered(.milagro, at: backend)
            #expect(try await device.logIn(pin: "9999").status == 401)
            clock.letDelaysPass()
            #expect(try await device.logIn(pin: "9998").status == 401)
            clock.letDelaysPass()
            return device
        }
        try await withBackend(state: state, clock: clock) { backend in
            let moved = device.moved(to: backend)
            let reply = try await moved.logIn()
            #expect(reply.status == 200)
            #expect(try await moved.logIn(pin: "9999").status == 401)
        }
    }

    @Test func aRegistrationGoesOnAfterARestart() async throws {
        let state = TemporaryFolder()
        let clock = ManualWallClock()
        let (mpinIDHex, regOTT) = try await withBackend(state: state, clock: clock) { backend in
            let reply = try await backend.client.put("/rps/user", ["userId": "alice@example.com", "mobile": 1]).object
            return (try #require(reply.string("mpinId")), try #require(reply.string("regOTT")))
        }
        let offline = try BackendState(directory: state.path, clock: clock)
        #expect(try await offline.users().map(\.status) == [.unconfirmed])
        #expect(try await offline.activate(userID: "alice@example.com") == 1)
        #expect(try await offline.users().map(\.status) == [.confirmed])
        try await withBackend(state: state, clock: clock) { backend in
            let device = try await Device.finishing(mpinIDHex, regOTT: regOTT, pin: "1234", at: backend)
            #expect(try await device.logIn(pin: "1234").status == 200)
            #expect(try await offline.users().map(\.status) == [.registered])
        }
    }

    /// As if one of several backends had created its own at its first start. It would refuse every right PIN as wrong.
    @Test(arguments: StorageUnderTest.allCases)
    func nobodyIsCheckedWithAnotherMasterSecret(_ kind: StorageUnderTest) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let storage = try kind.open(in: state)
        let device = try await withBackend(state: state, clock: clock, storage: storage) { backend in
            try await Device.registered(.milagro, at: backend)
        }
        let other = TemporaryFolder()
        await #expect(throws: BackendError.otherServerSecret) {
            try await withBackend(state: other, clock: clock, storage: storage) { _ in }
        }
        try await withBackend(state: state, clock: clock, storage: storage) { backend in
            let reply = try await device.moved(to: backend).logIn()
            #expect(reply.status == 200)
        }
    }
}
