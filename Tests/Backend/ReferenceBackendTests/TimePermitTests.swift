// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct TimePermitTests {
    @Test func yesterdaysPermitCountsForAnHour() async throws {
        let clock = ManualWallClock("2026-11-21T23:59:00Z")
        try await withBackend(clock: clock) { backend in
            let device = try await Device.registered(.milagro, at: backend)
            let permit = try await device.permit()
            clock.advance(by: .seconds(60 + 3599))
            #expect(try await device.logIn(permit: permit).status == 200)
            clock.advance(by: .seconds(1))
            #expect(try await device.logIn(permit: permit).status == 401)
        }
    }

    @Test func bothSharesAreForOneDayEvenAcrossMidnight() async throws {
        let clock = ManualWallClock("2026-11-21T23:59:59Z")
        try await withBackend(clock: clock) { backend in
            let device = try await Device.registered(.milagro, at: backend)
            let first = try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").object
            clock.advance(by: .seconds(2))
            let query =
                "hash_mpin_id=\(first.string("storageId") ?? "")&app_id=x&mobile=1&signature=\(first.string("signature") ?? "")"
            let second = try await backend.client.get("/dta/timePermit?\(query)")
            #expect(second.status == 200)
            let permit = try TimePermit(
                combining: TimePermitShare(bytes: first.bytes("timePermit")),
                TimePermitShare(bytes: second.object.bytes("timePermit")), day: EpochDay(20778))
            #expect(first.integer("date") == 20778)
            #expect(try await device.logIn(permit: permit).status == 200)
            // A permit's signature expires with its day.
            clock.advance(by: .seconds(3600))
            #expect(try await backend.client.get("/dta/timePermit?\(query)").status == 401)
        }
    }

    /// The permit of the morning does not help either.
    @Test func aRevokedUserGetsNoPermitAndNoLogin() async throws {
        try await withBackend { backend in
            let device = try await Device.registered(.milagro, at: backend)
            let permit = try await device.permit()
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.revoke(userID: "alice@example.com") == 1)
            #expect(try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").status == 410)
            #expect(try await device.logIn(permit: permit).status == 410)
        }
    }

    @Test func anIdentityOfSomewhereElseGetsNoPermit() async throws {
        try await withBackend { backend in
            let hex = Hexadecimal.text(Array(#"{"userID": "alice@example.com"}"#.utf8))
            let reply = try await backend.client.get("/rps/timePermit/\(hex)")
            #expect(reply.status == 404)
        }
    }
}
