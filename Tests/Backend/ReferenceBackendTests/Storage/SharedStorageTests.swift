// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Nothing that one request leaves for another is stored outside of the storage.
@Suite struct SharedStorageTests {
    /// Every value survives encoding.
    @Test(arguments: StorageUnderTest.shared, Dialect.allCases)
    func aBrowserLogsInWhereEverythingIsEncoded(_ kind: StorageUnderTest, _ dialect: Dialect) async throws {
        let state = TemporaryFolder()
        try await Device.withEndpoint(dialect, on: try kind.open(in: state), in: state) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = Browser(endpoint.below(""))
            // Through the OpenID provider, so that its tables are used too.
            let page = try await browser.follow(try await browser.get(endpoint.base + "/login"))
            try #require(page.status == 200)
            try await device.logInToApplication(browser, at: endpoint.base)
            let back = try await browser.follow(try await browser.get(browser.authorization("done")))
            #expect(try await browser.follow(back).text.contains(Device.userID))
            for (pin, status) in [("9999", 401), ("9998", 401), ("9997", 410)] {
                #expect(try await device.handIn(try await device.passes(pin: pin)).status == status)
                endpoint.clock.letDelaysPass()
            }
        }
    }

    /// Two processes on one storage: one finishes what the other began, and wrong PINs are counted together.
    @Test(arguments: StorageUnderTest.shared)
    func whatOneProcessBeginsAnotherEnds(_ kind: StorageUnderTest) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let (here, there) = try kind.openTwice(in: state)
        try await withBackend(state: state, clock: clock, storage: here) { first in
            try await withBackend(state: state, clock: clock, storage: there) { second in
                let device = try await Device.registered("alice@example.com", pin: "1234", at: first)
                let (here, there) = (device, device.moved(to: second))
                let passTwo = try await here.passTwo(pin: "1234")
                let login = try there.lastBody(try await there.sendPassTwo(passTwo))
                #expect(try await here.handIn(login).status == 200)
                #expect(try await there.handIn(login).status == 408)
                var statuses: [Int] = []
                for (number, pin) in ["9999", "9998", "9997", "1234"].enumerated() {
                    let device = number.isMultiple(of: 2) ? here : there
                    statuses.append(try await device.handIn(try await device.passes(pin: pin)).status)
                    clock.letDelaysPass()
                }
                #expect(statuses == [401, 401, 410, 410])
            }
        }
    }

    /// A process that has just issued a time permit issues none after another one has revoked the identity.
    @Test(arguments: StorageUnderTest.shared)
    func aRevocationElsewhereCountsAtOnce(_ kind: StorageUnderTest) async throws {
        let state = TemporaryFolder()
        let (here, there) = try kind.openTwice(in: state)
        try await withBackend(state: state, storage: here) { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            _ = try await device.permit()
            let alice = IdentitySelection(userID: "alice@example.com")
            #expect(try await there.durable.revoke(alice, now: backend.clock.now) == 1)
            #expect(try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").status == 410)
        }
    }

    /// Logins of one identity are checked one at a time, across all processes.
    @Test(arguments: StorageUnderTest.shared)
    func oneAtATimeAtAllProcesses(_ kind: StorageUnderTest) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let (here, there) = try kind.openTwice(in: state)
        try await withBackend(state: state, clock: clock, storage: here) { first in
            try await withBackend(state: state, clock: clock, storage: there) { second in
                let device = try await Device.registered("alice@example.com", pin: "1234", at: first)
                let moved = device.moved(to: second)
                let permit = try await device.permit()
                #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
                async let waiting = device.logIn(pin: "9998", permit: permit)
                try await clock.waitForSleeper()
                #expect(try await moved.logIn(pin: "1234", permit: permit).status == 429)
                clock.advance(by: .seconds(2))
                #expect(try await waiting.status == 401)
            }
        }
    }
}
