// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// An event changes an identity right before each request of its login, in every dialect. Afterwards memory and store
/// agree, and the person can do what the server decided.
@Suite struct StepFlowTests {
    /// The operator revokes it.
    @Test(arguments: DialectFlow.dialects) func isRevoked(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let state = try kiosk.state
            for step in kiosk.steps {
                let user = try await kiosk.enrolAnew()
                kiosk.network.before(step) { try await state.revoke(userID: user.identity) }
                let error = try await kiosk.failure(user)
                #expect(kiosk.network.isSettled, "\(step)")
                // Before the verdict on the PIN the server reports a revocation. Afterwards the error is that of a
                // wrong PIN.
                let gates = dialect.isClassic ? ["timePermit"] : ["pass1"]
                #expect(error?.status == (gates.contains(step) ? .revoked : .incorrectPIN), "\(step)")
                try await kiosk.expectRefused(user, by: error)
            }
        }
    }

    /// Another copy of the device used the last of three wrong PINs.
    @Test(arguments: DialectFlow.dialects) func isBlocked(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            for step in kiosk.steps {
                let user = try await kiosk.enrolAnew()
                kiosk.network.before(step) { try await kiosk.block(user.identity) }
                let error = try await kiosk.failure(user)
                #expect(kiosk.network.isSettled, "\(step)")
                let isGate = !dialect.isClassic && step == "pass1"
                #expect(error?.status == (isGate ? .revoked : .incorrectPIN), "\(step)")
                try await kiosk.expectRefused(user, by: error)
            }
        }
    }

    /// The operator asks for a new secret. This login or the next takes it.
    @Test(arguments: DialectFlow.dialects) func isRenewed(_ dialect: Dialect) async throws {
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

    /// The person or the network was too slow, and the request's login has expired.
    @Test(arguments: DialectFlow.dialects) func isTooLate(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let clock = kiosk.backend.clock
            for step in kiosk.steps {
                let user = try await kiosk.enrolAnew()
                kiosk.network.before(step) { clock.advance(by: .seconds(306)) }
                let error = try await kiosk.failure(user)
                #expect(kiosk.network.isSettled, "\(step)")
                switch step {
                // The state of pass 1 is forgotten.
                case "pass2": #expect(error?.status == .httpRequestError)
                // The state of pass 2 is forgotten, and with it the browser's session.
                case "mpinAuthenticate": #expect(error?.status == .requestExpired)
                case "authenticate": #expect(error?.status == .incorrectAccessNumber)
                // An expired session is noticed at the end. A classic device logs itself in, without a session.
                default: #expect(error?.status == (dialect.isClassic ? nil : .incorrectAccessNumber), "\(step)")
                }
                try await kiosk.expectUnchanged(user)
            }
        }
    }
}

extension StepFlowTests {
    /// The requests of a registration, each as a part of the path.
    static func registration(_ dialect: Dialect) -> [String] {
        switch dialect {
        case .trust2023: ["verification/email", "confirmation", "rps/v2/user", "signature", "clientSecret"]
        case .trust2025: ["verification/email", "confirmation", "registration", "dta/1/", "dta/2/"]
        default: ["user", "signature", "clientSecret"]
        }
    }

    /// After an interrupted registration nobody can log in, and it can be begun again.
    @Test(arguments: DialectFlow.dialects) func isCutOffWhileRegistering(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            for part in Self.registration(dialect) {
                kiosk.network.lose(part)
                let error = await #expect(throws: MPinError.self, "\(part)") { try await kiosk.walkIn() }
                #expect(error?.status == .networkError || error?.status == .verificationFailed, "\(part)")
                let states = try await kiosk.mpin.users().map(\.state)
                #expect(states.allSatisfy { $0 != .registered && $0 != .blocked }, "\(part)")
                #expect(try await kiosk.storage.identities().count == states.count)
                kiosk.network.restore()
                for user in try await kiosk.mpin.users() { try await kiosk.mpin.deleteUser(user) }
                kiosk.backend.clock.advance(by: .seconds(700))
                try await kiosk.expectUnchanged(try await kiosk.walkIn())
                for user in try await kiosk.mpin.users() { try await kiosk.mpin.deleteUser(user) }
                kiosk.backend.clock.advance(by: .seconds(700))
            }
        }
    }
}

extension OwnClient {
    /// A registration with as few requests as possible.
    fileprivate func walkIn() async throws -> User {
        guard !dialect.isTrust else { return try await enrol() }
        var user = try await mpin.startRegistration(
            of: await mpin.makeNewUser("alice@example.com"), accessCode: try await session().code)
        try await backend.confirmNewestMail()
        user = try await mpin.confirmRegistration(of: user)
        return try await mpin.finishRegistration(of: user, pin: try newPIN("1234"))
    }
}
