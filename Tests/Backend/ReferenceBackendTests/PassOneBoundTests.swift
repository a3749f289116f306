// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The number of logins that may be begun without a verdict.
@Suite struct PassOneBoundTests {
    private static let bound = 20

    /// The number of admitted logins out of 60, and the wait in the first refusal, in seconds.
    private static func flood(_ device: Device) async throws -> (admitted: Int, wait: Int?) {
        for number in 0..<60 {
            let reply = try await device.passOne()
            if reply.status == 200 { continue }
            try #require(reply.status == 429)
            return (number, reply.headers[.retryAfter].flatMap { Int($0) })
        }
        return (60, nil)
    }

    @Test(arguments: Dialect.allCases)
    func beginningsWithoutAnEndAreBounded(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let (admitted, wait) = try await Self.flood(device)
            #expect(admitted == Self.bound)
            // The owner waits half a minute at most, and tries again.
            let pause = try #require(wait)
            #expect((1...30).contains(pause))
            device.backend.clock.advance(by: .seconds(pause))
            #expect(try await device.logIn().status == 200)
            // A right PIN resets the count.
            #expect(try await Self.flood(device).admitted == Self.bound)
        }
    }

    @Test(arguments: Dialect.allCases)
    func aPersonWhoCancelsIsNotNoticed(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            for _ in 0..<4 {
                for _ in 0..<6 { #expect(try await device.passOne().status == 200) }
                #expect(try await device.logIn(pin: "9999").status == 401)
                device.backend.clock.letDelaysPass()
                let reply = try await device.logIn()
                #expect(reply.status == 200)
            }
        }
    }

    @Test func aRestartForgetsNone() async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let device = try await withBackend(state: state, clock: clock) { backend in
            let device = try await Device.registered(.milagro, at: backend)
            #expect(try await Self.flood(device).admitted == Self.bound)
            return device
        }
        try await withBackend(state: state, clock: clock) { backend in
            let moved = device.moved(to: backend)
            let atOnce = try await Self.flood(moved).admitted
            clock.advance(by: .seconds(60))
            let later = try await Self.flood(moved).admitted
            #expect(atOnce == 0 && later == 2)
        }
    }

    /// Logins that were begun before are forgotten, and the bound holds from then on.
    @Test func aClockSetBackLocksNobodyOut() async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        try await withBackend(state: state, clock: clock) { backend in
            let device = try await Device.registered(.milagro, at: backend)
            _ = try await Self.flood(device)
            clock.advance(by: .seconds(-86_400))
            #expect(try await Self.flood(device).admitted == Self.bound)
        }
    }

    /// The right PIN waits no longer than the pause after a wrong one.
    @Test(arguments: Dialect.allCases)
    func aWrongPINAndAClockSetBackLockNobodyOut(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            #expect(try await device.logIn(pin: "9999").status == 401)
            device.backend.clock.advance(by: .seconds(-3600))
            let passes = try await device.passes(pin: "1234")
            async let reply = device.handIn(passes)
            try await device.backend.clock.waitForSleeper()
            device.backend.clock.letDelaysPass()
            #expect(try await reply.status == 200)
        }
    }
}
