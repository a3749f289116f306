// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct TimePermitTests {
    @Test func yesterdaysPermitCountsForAnHour() async throws {
        let clock = ManualWallClock("2026-11-21T23:59:00Z")
        try await withBackend(clock: clock) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            clock.advance(by: .seconds(60 + 3599))
            #expect(try await device.logIn(pin: "1234", permit: permit).status == 200)
            clock.advance(by: .seconds(1))
            #expect(try await device.logIn(pin: "1234", permit: permit).status == 401)
        }
    }

    @Test func bothSharesAreForOneDayEvenAcrossMidnight() async throws {
        let clock = ManualWallClock("2026-11-21T23:59:59Z")
        try await withBackend(clock: clock) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let first = try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").object
            clock.advance(by: .seconds(2))
            let query =
                "hash_mpin_id=\(first.string("storageId") ?? "")&app_id=x&mobile=1&signature=\(first.string("signature") ?? "")"
            let second = try await backend.client.get("/dta/timePermit?\(query)")
            #expect(second.status == 200)
            let permit = try TimePermit(
                combining: TimePermitShare(bytes: Hexadecimal.bytes(first.string("timePermit") ?? "") ?? []),
                TimePermitShare(bytes: Hexadecimal.bytes(second.object.string("timePermit") ?? "") ?? []),
                day: EpochDay(20778))
            #expect(first.integer("date") == 20778)
            #expect(try await device.logIn(pin: "1234", permit: permit).status == 200)
            // A permit's signature expires with its day.
            clock.advance(by: .seconds(3600))
            #expect(try await backend.client.get("/dta/timePermit?\(query)").status == 401)
        }
    }

    @Test func aRevokedUserGetsNoPermitAndNoLogin() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.revoke(userID: "alice@example.com") == 1)
            #expect(try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").status == 410)
            // The morning's permit does not help, neither in a plain login nor for a browser.
            #expect(try await device.logIn(pin: "1234", permit: permit).status == 410)
            let browser = Browser(backend)
            _ = try await browser.get("/")
            let second = try await device.passes(
                pin: "1234", accessCode: try await browser.accessCode(), permit: permit)
            // The device waits for its page, which polls meanwhile.
            let page = Task { while !Task.isCancelled { _ = try await browser.session() } }
            defer { page.cancel() }
            let final = try await backend.client.post(
                "/rps/authenticate", ["mpinResponse": .object(second.object.members)])
            #expect(final.status == 410)
            #expect(try await browser.get("/protected").status == 401)
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
