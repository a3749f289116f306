// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// An event changes an identity right before each request of each use of its PIN, in every dialect. Afterwards memory
/// and store agree, no identity has an incomplete signing key, only the PIN works that was told, and a person who may
/// continue can.
@Suite struct StepFlowTests {
    /// The refusal of an identity before the server has checked its PIN, or after the PIN was right. Only then it
    /// differs from that of a wrong PIN.
    private static func refusal(at step: String, in dialect: Dialect) -> Status? {
        switch step {
        case "timePermit": .revoked
        case "pass1" where !dialect.isClassic: .revoked
        case "quickcode", "codeStatus", "dvs/session", "dvsregister": .revoked
        // An issuer of shares knows no identities, so the key's first use fails.
        case "clientSecret": nil
        default: .incorrectPIN
        }
    }

    /// The operator revokes it.
    @Test(arguments: DialectFlow.dialects) func isRevoked(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let state = try kiosk.state
            try await expectRefusals(kiosk) { user in try await state.revoke(userID: user.identity) }
        }
    }

    /// Another copy of the device used the last of three wrong PINs.
    @Test(arguments: DialectFlow.dialects) func isBlocked(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            // A time permit is refused only for a revocation.
            try await expectRefusals(kiosk, permitTells: false) { user in try await kiosk.block(user.identity) }
        }
    }

    private func expectRefusals(
        _ kiosk: OwnClient, permitTells: Bool = true, _ event: @escaping @Sendable (User) async throws -> Void
    ) async throws {
        for flow in PINFlow.all(in: kiosk.dialect) {
            for step in flow.requests(kiosk) {
                let user = try await flow.person(kiosk)
                let before = try await kiosk.storage.identities()
                let error = try await flow.failure(kiosk, user, before: step) { try await event(user) }
                var expected = Self.refusal(at: step, in: kiosk.dialect)
                if step == "timePermit", !permitTells { expected = .incorrectPIN }
                #expect(error?.status == expected, "\(flow) \(step)")
                // The token is deleted with the identity, and no new one comes.
                if flow == .pinChange, error?.isFinalRefusal == false, !kiosk.dialect.isClassic {
                    #expect(try await kiosk.storage.identities() == before, "\(step)")
                }
                let last = error == nil ? try await kiosk.failure(user) : error
                if error == nil { #expect(last?.status == .revoked, "\(flow) \(step)") }
                try await kiosk.expectRefused(user, by: last)
                // A remembered blocked identity can neither sign nor log in: BlockedTests.
                if last?.isFinalRefusal == true { #expect(try await kiosk.stored(user)?.state != .registered) }
            }
        }
    }

    /// The operator asks for a new secret. This run or the next takes it, unless the requested result is for
    /// something else.
    @Test(arguments: DialectFlow.dialects) func isRenewed(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let state = try kiosk.state
            for flow in PINFlow.all(in: dialect) {
                let user = try await flow.person(kiosk)
                for step in flow.requests(kiosk) {
                    let before = try await kiosk.storage.identities().map(\.record)
                    let error = try await flow.failure(kiosk, user, before: step) {
                        try await state.renew(userID: user.identity)
                    }
                    #expect(error == nil, "\(flow) \(step)")
                    try await flow.expectPIN(kiosk, user, isDone: true)
                    try await flow.prepared(kiosk, user)()
                    try await flow.expectPIN(kiosk, user, isDone: true)
                    try await kiosk.logIn(user)
                    let isRenewed = try await kiosk.storage.identities().map(\.record) != before
                    if DialectFlow.renewedAtAnyStep.isThere(in: dialect) { #expect(isRenewed, "\(flow) \(step)") }
                    try await kiosk.expectUnchanged(try #require(try await kiosk.mpin.user(user.key)))
                    guard flow == .login else { continue }
                    #expect(try await state.users().count { $0.userID == user.identity } == 1, "\(step)")
                }
            }
        }
    }

    /// The person or the network was too slow. The request's flow has expired, and can be begun again.
    @Test(arguments: DialectFlow.dialects) func isTooLate(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let clock = kiosk.backend.clock
            for flow in PINFlow.all(in: dialect) {
                var user = try await flow.person(kiosk)
                for step in flow.requests(kiosk) {
                    let error = try await flow.failure(kiosk, user, before: step) { clock.advance(by: .seconds(306)) }
                    #expect(error?.status == Self.delay(of: flow, at: step, in: dialect), "\(flow) \(step)")
                    if error == nil {
                        user = try #require(try await kiosk.mpin.user(user.key))
                    } else if flow == .signingKey {
                        try await expectNoShares(kiosk, user)
                    }
                    try await flow.expectPIN(kiosk, user, isDone: error == nil)
                    try await kiosk.expectUnchanged(user)
                    #expect(try await kiosk.stored(user)?.canSign == user.canSign, "\(flow) \(step)")
                }
                try await flow.prepared(kiosk, user)()
            }
        }
    }

    /// The backend's answer about an expired state.
    private static func delay(of flow: PINFlow, at step: String, in dialect: Dialect) -> Status? {
        switch step {
        // The state of pass 1 is forgotten.
        case "pass2": .httpRequestError
        // The state of pass 2 is forgotten, and with it the browser's session.
        case "mpinAuthenticate": .requestExpired
        case "authenticate": .incorrectAccessNumber
        // The token for the code has expired.
        case "quickcode": .httpRequestError
        // The right to a key has expired, or the query for a share.
        case "dvsregister": .identityNotVerified
        case "clientSecret": .requestExpired
        // An expired session is noticed when it is used.
        case "codeStatus", "dvs/session": .incorrectAccessNumber
        // A classic device logs itself in, without a session.
        case _ where flow == .login && !dialect.isClassic: .incorrectAccessNumber
        default:
            flow == .signingSession || flow == .authorizationCode && dialect == .mfaV2 ? .incorrectAccessNumber : nil
        }
    }

    /// Expects that nothing is left of an unregistered key.
    private func expectNoShares(_ kiosk: OwnClient, _ user: User) async throws {
        let error = await #expect(throws: MPinError.self) {
            try await kiosk.mpin.finishRegistrationDVS(of: user, pinDVS: newPIN("5678"))
        }
        #expect(error?.status == .flowError)
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
        guard !dialect.isTrust else { return try await register() }
        var user = try await mpin.startRegistration(
            of: await mpin.makeNewUser("alice@example.com"), accessCode: try await session().code)
        try await backend.confirmNewestMail()
        user = try await mpin.confirmRegistration(of: user)
        return try await mpin.finishRegistration(of: user, pin: try newPIN("1234"))
    }
}
