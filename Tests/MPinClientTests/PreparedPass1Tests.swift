// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinCrypto
import Testing

@testable import MPinClient

/// Pass 1 is computed at a login's start, and is of one proof.
@Suite struct PreparedPass1Tests {
    private static let alice = MPinIdentity(MPinID(Array("alice".utf8)))
    private static let bob = MPinIdentity(MPinID(Array("bob".utf8)))

    @Test func isTakenOnceAndByItsIdentity() throws {
        let started = StartedAuthentication(permit: nil, for: Self.alice)
        let first = try started.takePass1(of: Self.alice)
        let second = try started.takePass1(of: Self.alice)
        #expect(first.identity == Self.alice && second.identity == Self.alice)
        #expect(first.commitment != second.commitment)
        let others = try StartedAuthentication(permit: nil, for: Self.alice).takePass1(of: Self.bob)
        #expect(others.identity == Self.bob)
    }

    /// Two tries with one x would give the secret away to a server that has seen both.
    @Test func eachTryHasItsOwn() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        try await device.mpin.startAuthentication(of: user)
        device.transport.forgetRequests()
        for pin in ["1111", "2222"] {
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.finishAuthentication(of: user, pin: makePin(pin))
            }
            #expect(error?.kind == .wrongPIN)
        }
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        let sent = device.transport.requests.filter { $0.url.absoluteText.hasSuffix("/pass1") }.map { object($0) }
        #expect(sent.count == 3)
        #expect(Set(sent.map { $0?["U"] as? String }).count == 3)
        #expect(Set(sent.map { $0?["UT"] as? String }).count == 3)
    }

    /// A permit that came with a later start belongs to the points of that start.
    @Test func aSecondStartMakesItAnew() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        for _ in 0..<2 { try await device.mpin.startAuthentication(of: user) }
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
    }
}
