// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The backend asks the SDK's client to take a new secret, in every dialect that can. After a failure the old one
/// works, and the login succeeds. Whatever happens before a request of a renewal, the identity has exactly one of the
/// two secrets afterwards.
@Suite struct RenewalFlowTests {
    static let dialects = DialectFlow.dialects.filter { DialectFlow.renewal.isThere(in: $0) }

    @Test(arguments: DialectFlow.dialects) func takesANewSecret(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            let before = try await kiosk.storage.identities()
            let asked = try await kiosk.state.renew(userID: user.identity)
            #expect((asked == 1) == DialectFlow.renewal.isThere(in: dialect))
            kiosk.network.forget()
            try await kiosk.logIn(user)
            let logins = kiosk.network.paths.filter { $0.contains("pass1") }.count
            let isRenewed = try await kiosk.storage.identities().map(\.record) != before.map(\.record)
            if dialect.isClassic {
                #expect(logins == 1)
                return
            }
            #expect(logins == 2 && isRenewed)
            let renewed = try #require(try await kiosk.mpin.user(user.key))
            // Before 2025 only the key is replaced.
            #expect((renewed.mpinID == user.mpinID) == (dialect == .trust2023))
            kiosk.network.forget()
            try await kiosk.expectUnchanged(renewed)
            #expect(kiosk.network.paths.filter { $0.contains("pass1") }.count == 1)
        }
    }

    /// The requests of a renewal, each as a part of the path.
    static func requests(_ dialect: Dialect) -> [String] {
        switch dialect {
        case .mfaV2: ["clientSecret"]
        case .trust2023: ["dvsregister", "clientSecret"]
        case .trust2025: ["registration", "dta/1/clientSecret", "dta/2/clientSecret"]
        default: []
        }
    }

    @Test(arguments: dialects)
    func keepsWhatItHasWhenARenewalFails(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            var user = try await kiosk.register()
            for part in Self.requests(dialect) {
                try await kiosk.state.renew(userID: user.identity)
                let before = try await kiosk.storage.identities()
                kiosk.network.lose(part)
                try await kiosk.logIn(user)
                #expect(try await kiosk.storage.identities() == before, "\(part)")
                #expect(try await kiosk.mpin.user(user.key) == user)
                kiosk.network.restore()
                try await kiosk.logIn(user)
                #expect(try await kiosk.storage.identities() != before)
                try await kiosk.logIn(user)
                let renewed = try #require(try await kiosk.mpin.user(user.key))
                #expect(try await kiosk.stored(user)?.mpinID == renewed.mpinID)
                try await kiosk.mpin.deleteUser(user)
                kiosk.backend.clock.advance(by: .seconds(700))
                user = try await kiosk.register()
            }
        }
    }

    /// The requests after the first login, and whether they belong to the second login.
    private static func steps(_ kiosk: OwnClient) -> [(part: String, isSecondLogin: Bool)] {
        Self.requests(kiosk.dialect).map { ($0, false) } + kiosk.steps.map { ($0, true) }
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
            network.before(Self.requests(kiosk.dialect).last ?? "") { network.before(step.part, event) }
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
                let user = try await kiosk.registerAnew()
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
            let user = try await kiosk.registerAnew()
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
