// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The verdicts 401, 401, 410, and attempts to evade them.
@Suite struct VerdictTests {
    /// The statuses of logins one after another.
    private static func statuses(_ device: Device, _ pins: [String]) async throws -> [Int] {
        var statuses: [Int] = []
        for pin in pins {
            statuses.append(try await device.logIn(pin: pin).status)
            device.backend.clock.letDelaysPass()
        }
        return statuses
    }

    @Test(arguments: Dialect.allCases)
    func threeWrongPINsBlockUntilTheOperatorUnblocks(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            #expect(try await Self.statuses(device, ["9999", "9998", "9997", "1234"]) == [401, 401, 410, 410])
            let state = try BackendState(directory: device.backend.state.path, clock: device.backend.clock)
            #expect(try await state.users().map(\.status) == [.blocked])
            #expect(try await state.unblock(userID: "nobody@example.com") == 0)
            #expect(try await state.unblock(userID: Device.userID) == 1)
            #expect(try await state.users().map(\.status) == [.registered])
            #expect(try await device.logIn().status == 200)
        }
    }

    @Test(arguments: Dialect.allCases)
    func theRightPINForgetsTheWrongOnes(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let statuses = try await Self.statuses(device, ["9999", "9998", "1234", "9999", "9998", "1234"])
            #expect(statuses == [401, 401, 200, 401, 401, 200])
        }
    }

    @Test(arguments: Dialect.allCases)
    func wrongPINsForABrowserCountToo(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let (accessCode, webOTT) = try await device.newSession()
            for (pin, status) in [("9999", 401), ("9998", 401), ("9997", 410)] {
                #expect(try await device.logIn(accessCode, pin: pin) == status)
                device.backend.clock.letDelaysPass()
            }
            // The browser learns nothing of it.
            #expect(try await device.access(webOTT).string("status") == "new")
        }
    }

    @Test func aBurstOfWrongLoginsDoesNotBlock() async throws {
        try await withBackend { backend in
            let device = try await Device.registered(.milagro, at: backend)
            let permit = try await device.permit()
            #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
            // The second is checked after a delay. Meanwhile a third is refused and not counted.
            async let second = device.logIn(pin: "9998", permit: permit)
            try await backend.clock.waitForSleeper()
            let third = try await device.logIn(permit: permit)
            #expect(third.status == 429)
            #expect(third.headers[.retryAfter] != nil)
            backend.clock.advance(by: .seconds(2))
            #expect(try await second.status == 401)
            let users = try await BackendState(directory: backend.state.path, clock: backend.clock).users()
            #expect(users.map(\.failures) == [2])
        }
    }

    /// A device that was told to wait sends its authOTT again, once.
    @Test func aRefusedLoginIsCheckedLater() async throws {
        try await withBackend { backend in
            let device = try await Device.registered(.milagro, at: backend)
            let permit = try await device.permit()
            #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
            async let second = device.logIn(pin: "9998", permit: permit)
            try await backend.clock.waitForSleeper()
            let body = try await device.passes(permit: permit)
            for _ in 0..<3 { #expect(try await device.handIn(body).status == 429) }
            backend.clock.letDelaysPass()
            #expect(try await second.status == 401)
            backend.clock.letDelaysPass()
            #expect(try await device.handIn(body).status == 200)
            #expect(try await device.handIn(body).status == 408)
        }
    }

    /// A process was killed while it checked a PIN: the identity is busy for 15 seconds, and the login is not spent.
    @Test(arguments: Dialect.allCases) func aClaimEndsByItself(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let endpoint = device.backend
            let database = try BackendDatabase(state: try StateDirectory(path: endpoint.state.path))
            let (lease, now) = (LoginLease(endpoint.clock.now), endpoint.clock.now)
            #expect(try await database.change(device.mpinID) { $0.take(lease, now: now) } == true)
            let body = try await device.passes()
            #expect(try await device.handIn(body).status == 429)
            endpoint.clock.advance(by: LoginLease.lifetime)
            #expect(try await device.handIn(body).status == 200)
        }
    }

    @Test(arguments: Dialect.allCases)
    func anAuthOTTCountsOnceAndForAMinute(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let used = dialect == .milagro || dialect == .milagroWithoutPermits ? 408 : 412
            for (pin, wait, status) in [("9999", 0, 401), ("1234", 59, 200), ("1234", 60, used)] {
                let body = try await device.passes(pin: pin)
                device.backend.clock.advance(by: .seconds(wait))
                #expect(try await device.handIn(body).status == status)
                #expect(try await device.handIn(body).status == used)
                if dialect == .mfaV1 {
                    #expect(try await device.wire.send(.post, "/mpinAuthenticate", body).status == 408)
                }
                device.backend.clock.letDelaysPass()
            }
        }
    }

    @Test(arguments: Dialect.allCases)
    func passTwoCountsOnceAndForFifteenSeconds(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let refused = dialect.platformGeneration == nil ? 403 : 400
            for (wait, status) in [(14, 200), (15, refused)] {
                let body = try await device.passTwo()
                device.backend.clock.advance(by: .seconds(wait))
                #expect(try await device.sendPassTwo(body).status == status)
                #expect(try await device.sendPassTwo(body).status == refused)
            }
            // 65 bytes that are no point of the curve do not count as a wrong PIN.
            var body = try await device.passTwo()
            body["V"] = .string("04" + String(repeating: "01", count: 64))
            #expect(try await device.sendPassTwo(body).status == refused)
            #expect(try await device.logIn().status == 200)
        }
    }
}
