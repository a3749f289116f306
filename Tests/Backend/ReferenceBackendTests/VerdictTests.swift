// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Synchronization
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The verdicts 401, 401, 410, and attempts to evade them.
@Suite struct VerdictTests {
    @Test func threeWrongPINsBlock() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            var statuses: [Int] = []
            for pin in ["9999", "9998", "9997", "1234"] {
                statuses.append(try await device.logIn(pin: pin).status)
                backend.clock.letDelaysPass()
            }
            #expect(statuses == [401, 401, 410, 410])
        }
    }

    @Test func theRightPINForgetsTheWrongOnes() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            var statuses: [Int] = []
            for pin in ["9999", "9998", "1234", "9999", "9998", "1234"] {
                statuses.append(try await device.logIn(pin: pin).status)
                backend.clock.letDelaysPass()
            }
            #expect(statuses == [401, 401, 200, 401, 401, 200])
        }
    }

    @Test func wrongPINsForABrowserCountToo() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let (accessCode, webOTT) = try await backend.client.newQRSession()
            var statuses: [Int] = []
            for pin in ["9999", "9998", "9997"] {
                statuses.append(try await device.logInBrowser(pin: pin, accessCode: accessCode).status)
                backend.clock.letDelaysPass()
            }
            #expect(statuses == [401, 401, 410])
            // The browser learns nothing of it.
            #expect(try await backend.client.access(webOTT).string("status") == "new")
        }
    }

    @Test func aBurstOfWrongLoginsDoesNotBlock() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
            // The second is judged after a delay. Meanwhile a third is refused and not counted.
            async let second = device.logIn(pin: "9998", permit: permit)
            try await backend.clock.waitForSleeper()
            let third = try await device.logIn(pin: "1234", permit: permit)
            #expect(third.status == 429)
            #expect(third.headers[.retryAfter] != nil)
            backend.clock.advance(by: .seconds(2))
            #expect(try await second.status == 401)
            let users = try await BackendState(directory: backend.state.path, clock: backend.clock).users()
            #expect(users.map(\.failures) == [2])
        }
    }

    /// A device that was told to wait sends its authOTT again, once.
    @Test func whatWasNotJudgedIsJudgedLater() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            #expect(try await device.logIn(pin: "9999", permit: permit).status == 401)
            async let second = device.logIn(pin: "9998", permit: permit)
            try await backend.clock.waitForSleeper()
            let body = try await device.handedIn(pin: "1234", permit: permit)
            for _ in 0..<3 { #expect(try await backend.client.post("/mpinAuthenticate", body).status == 429) }
            backend.clock.letDelaysPass()
            #expect(try await second.status == 401)
            backend.clock.letDelaysPass()
            #expect(try await backend.client.post("/mpinAuthenticate", body).status == 200)
            #expect(try await backend.client.post("/mpinAuthenticate", body).status == 408)
        }
    }

    /// A process was killed while it judged: the identity is busy for fifteen seconds, and the login is not spent.
    @Test(arguments: Dialect.allCases) func aClaimEndsByItself(_ dialect: Dialect) async throws {
        try await AnyDevice.withPlace(dialect) { place in
            let device = try await AnyDevice.registered(dialect, at: place)
            let database = try BackendDatabase(state: try StateDirectory(path: place.state.path))
            let identity = try #require(try await database.identities(nil).first)
            let (lease, now) = (JudgingLease(place.clock.now), place.clock.now)
            #expect(try await database.change(identity.mpinID) { $0.take(lease, now: now) } == true)
            let body = try await device.passes(pin: "1234")
            #expect(try await device.handIn(body).status == 429)
            place.clock.advance(by: JudgingLease.lifetime)
            #expect(try await device.handIn(body).status == 200)
        }
    }

    @Test func anAuthOTTCountsOnce() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            for (pin, status) in [("9999", 401), ("1234", 200)] {
                let body = try await device.handedIn(pin: pin, permit: try await device.permit())
                #expect(try await backend.client.post("/mpinAuthenticate", body).status == status)
                #expect(try await backend.client.post("/mpinAuthenticate", body).status == 408)
                backend.clock.letDelaysPass()
            }
        }
    }

    @Test func anAuthOTTEndsAfterAMinute() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            for (wait, status) in [(Duration.seconds(59), 200), (.seconds(60), 408)] {
                let body = try await device.handedIn(pin: "1234", permit: try await device.permit())
                backend.clock.advance(by: wait)
                #expect(try await backend.client.post("/mpinAuthenticate", body).status == status)
            }
        }
    }

    @Test func pass2CannotBeReplayed() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let body = try await device.passTwoBody(pin: "1234", permit: try await device.permit())
            #expect(try await backend.client.post("/rps/pass2", body).status == 200)
            #expect(try await backend.client.post("/rps/pass2", body).status == 403)
        }
    }

    @Test func pass1EndsAfterFifteenSeconds() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let permit = try await device.permit()
            for (wait, status) in [(Duration.seconds(14), 200), (.seconds(15), 403)] {
                let body = try await device.passTwoBody(pin: "1234", permit: permit)
                backend.clock.advance(by: wait)
                #expect(try await backend.client.post("/rps/pass2", body).status == status)
            }
        }
    }

    @Test func rubbishIsRefusedAndNotCounted() async throws {
        try await withBackend { backend in
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            var body = try await device.passTwoBody(pin: "1234", permit: try await device.permit())
            // 65 bytes that are no point of the curve.
            body["V"] = .string("04" + String(repeating: "01", count: 64))
            #expect(try await backend.client.post("/rps/pass2", body).status == 403)
            #expect(try await device.logIn(pin: "1234").status == 200)
        }
    }
}

extension Device {
    /// The body of a device's last request.
    fileprivate func handedIn(pin: String, permit: TimePermit?) async throws -> [String: JSONValue] {
        ["mpinResponse": .object(try await passes(pin: pin, permit: permit).object.members)]
    }
}
