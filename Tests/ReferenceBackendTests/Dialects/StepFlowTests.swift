// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// Something happens to an identity right before one of the requests of its login, for each request and every dialect.
/// Afterwards memory and store agree, and what the server decided is what the person can still do.
@Suite struct StepFlowTests {
    /// The operator revokes it.
    @Test(arguments: DialectFlow.dialects) func isRevoked(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let state = try kiosk.state
            for step in kiosk.steps {
                let user = try await kiosk.enrolAnew()
                kiosk.network.before(step) { try await state.revoke(userID: user.identity) }
                let error = try await kiosk.failure(user)
                #expect(kiosk.network.isSettled, "\(step)")
                // Before the PIN is judged the server says so itself, afterwards it is as with a wrong PIN.
                let gates = dialect.isClassic ? ["timePermit"] : ["pass1"]
                #expect(error?.status == (gates.contains(step) ? .revoked : .incorrectPIN), "\(step)")
                try await kiosk.expectBlocked(user)
            }
        }
    }

    /// Another copy of the device used the last of three wrong PINs.
    @Test(arguments: DialectFlow.dialects) func isBlocked(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { kiosk in
            for step in kiosk.steps {
                let user = try await kiosk.enrolAnew()
                kiosk.network.before(step) { try await kiosk.block(user.identity) }
                let error = try await kiosk.failure(user)
                #expect(kiosk.network.isSettled, "\(step)")
                let isGate = !dialect.isClassic && step == "pass1"
                #expect(error?.status == (isGate ? .revoked : .incorrectPIN), "\(step)")
                try await kiosk.expectBlocked(user)
            }
        }
    }

    /// The operator wants a new secret: this login or the next one takes it.
    @Test(arguments: DialectFlow.dialects) func isRenewed(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let state = try kiosk.state
            for step in kiosk.steps {
                let user = try await kiosk.enrolAnew()
                let before = try await kiosk.storage.identities().map(\.record)
                kiosk.network.before(step) { try await state.renew(userID: user.identity) }
                try await kiosk.logIn(user)
                #expect(kiosk.network.isSettled, "\(step)")
                try await kiosk.logIn(user)
                let isRenewed = try await kiosk.storage.identities().map(\.record) != before
                if DialectFlow.renewedAtAnyStep.isThere(in: dialect) { #expect(isRenewed, "\(step)") }
                let now = try #require(try await kiosk.mpin.user(user.key))
                try await kiosk.expectUnchanged(now)
                #expect(try await state.users().filter { $0.userID == user.identity }.count == 1)
            }
        }
    }

    /// The person, or the network, was too slow: what the request belongs to is over.
    @Test(arguments: DialectFlow.dialects) func isTooLate(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let clock = kiosk.backend.clock
            for step in kiosk.steps {
                let user = try await kiosk.enrolAnew()
                kiosk.network.before(step) { clock.advance(by: .seconds(306)) }
                let error = try await kiosk.failure(user)
                #expect(kiosk.network.isSettled, "\(step)")
                switch step {
                // What pass 1 left is forgotten.
                case "pass2": #expect(error?.status == .httpRequestError)
                // What pass 2 left is, and with it the browser's session.
                case "authenticate": #expect(error?.status == .incorrectAccessNumber)
                // A session that is over is noticed in the end; a classic device logs itself in and has none.
                default: #expect(error?.status == (dialect.isClassic ? nil : .incorrectAccessNumber), "\(step)")
                }
                try await kiosk.expectUnchanged(user)
            }
        }
    }
}

extension OwnClient {
    /// Somebody new, and nobody else on the device.
    fileprivate func enrolAnew() async throws -> User {
        for user in try await mpin.users() { try await mpin.deleteUser(user) }
        backend.clock.advance(by: .seconds(700))
        return try await enrol("user\(backend.clock.now.seconds)@example.com")
    }
}
