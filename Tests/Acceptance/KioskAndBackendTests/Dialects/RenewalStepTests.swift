// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// An event changes the identity during a renewal, before each request between the login with the offer and the login
/// with the new secret. Afterwards the identity has exactly one of the two secrets.
@Suite struct RenewalStepTests {
    static let dialects = DialectFlow.dialects.filter { DialectFlow.renewal.isThere(in: $0) }

    /// The requests after the first login, and whether they belong to the second login.
    private static func steps(_ kiosk: OwnClient) -> [(part: String, isSecondLogin: Bool)] {
        RenewalFlowTests.requests(kiosk.dialect).map { ($0, false) } + kiosk.steps.map { ($0, true) }
    }

    /// Calls `event` right before a request of a login with a renewal.
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
    func isRefused(_ dialect: Dialect, isRevoked: Bool) async throws {
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
                    // The first login succeeded without a new secret. The next one reports the change.
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

    @Test(arguments: dialects) func isTooLate(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let clock = kiosk.backend.clock
            let user = try await kiosk.enrolAnew()
            for step in Self.steps(kiosk) {
                let before = try await kiosk.storage.identities()
                let error = try await failure(kiosk, user, before: step) { clock.advance(by: .seconds(306)) }
                let now = try #require(try await kiosk.mpin.user(user.key))
                let isRenewed = try await kiosk.storage.identities() != before
                #expect(isRenewed == step.isSecondLogin, "\(step)")
                // The browser of the first login does not matter any more.
                #expect((error == nil) == !step.isSecondLogin && error?.outcomeIsUnknown ?? true, "\(step)")
                try await kiosk.expectUnchanged(now)
            }
        }
    }
}
