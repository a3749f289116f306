// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// While a secret is being renewed, between the login that brought the offer and the one that uses the new secret,
/// something happens to the identity: before each request. It then has the old secret or the new one, and nothing in
/// between.
@Suite struct RenewalStepTests {
    static let dialects = DialectFlow.dialects.filter { DialectFlow.renewal.isThere(in: $0) }

    /// The requests after the first login's, and whether they are the second login's.
    private static func steps(_ kiosk: OwnClient) -> [(part: String, isSecondLogin: Bool)] {
        RenewalFlowTests.requests(kiosk.dialect).map { ($0, false) } + kiosk.steps.map { ($0, true) }
    }

    /// Calls `event` right before a request of a login that renews.
    private func failure(
        _ kiosk: OwnClient, _ user: User, before step: (part: String, isSecondLogin: Bool),
        _ event: @escaping @Sendable () async throws -> Void
    ) async throws -> MPinError? {
        try await kiosk.state.renew(userID: user.identity)
        let network = kiosk.network
        if step.isSecondLogin {
            // The last share comes right before the second login.
            network.before(RenewalFlowTests.requests(kiosk.dialect).last ?? "") { network.before(step.part, event) }
        } else {
            network.before(step.part, event)
        }
        let error = try await kiosk.failure(user)
        #expect(network.isSettled, "\(step)")
        return error
    }

    @Test(arguments: dialects, [true, false])
    func isRefused(_ dialect: Backend.Dialect, isRevoked: Bool) async throws {
        try await withClient(dialect) { kiosk in
            let state = try kiosk.state
            for step in Self.steps(kiosk) {
                let user = try await kiosk.enrolAnew()
                let before = try await kiosk.storage.identities()
                var error = try await failure(kiosk, user, before: step) {
                    guard isRevoked else { return try await kiosk.block(user.identity) }
                    try await state.revoke(userID: user.identity)
                }
                if ["registration", "dvsregister"].contains(step.part) {
                    // The first login went well, and there is nothing new. The next one tells.
                    #expect(error == nil, "\(step)")
                    #expect(try await kiosk.storage.identities() == before, "\(step)")
                    error = try await kiosk.failure(user)
                    #expect(error?.status == .revoked, "\(step)")
                } else {
                    let isGate = !step.isSecondLogin || step.part == "pass1"
                    #expect(error?.status == (isGate ? .revoked : .incorrectPIN), "\(step)")
                    #expect(error?.outcomeIsUnknown == true, "\(step)")
                }
                try await kiosk.expectRefused(user, by: error)
            }
        }
    }

    @Test(arguments: dialects) func isTooLate(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let clock = kiosk.backend.clock
            let user = try await kiosk.enrolAnew()
            for step in Self.steps(kiosk) {
                let before = try await kiosk.storage.identities()
                let error = try await failure(kiosk, user, before: step) { clock.advance(by: .seconds(306)) }
                let now = try #require(try await kiosk.mpin.user(user.key))
                let isRenewed = try await kiosk.storage.identities() != before
                #expect(isRenewed == step.isSecondLogin, "\(step)")
                // The browser that was logged in first is nobody's business any more.
                #expect((error == nil) == !step.isSecondLogin && error?.outcomeIsUnknown ?? true, "\(step)")
                try await kiosk.expectUnchanged(now)
            }
        }
    }
}
