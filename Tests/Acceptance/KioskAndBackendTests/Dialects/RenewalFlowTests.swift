// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The backend asks the SDK's client to take a new secret, in every dialect that can. After a failure the old one
/// works, and the login succeeds.
@Suite struct RenewalFlowTests {
    @Test(arguments: DialectFlow.dialects) func takesANewSecret(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.enrol()
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

    @Test(arguments: DialectFlow.dialects.filter { DialectFlow.failedRenewal.isThere(in: $0) })
    func keepsWhatItHasWhenARenewalFails(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            var user = try await kiosk.enrol()
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
                user = try await kiosk.enrol()
            }
        }
    }

    /// The issuers' new secret is there, and the identity is revoked before its first use. No identity is half
    /// renewed.
    @Test(arguments: DialectFlow.dialects.filter { DialectFlow.renewal.isThere(in: $0) })
    func isRevokedBeforeTheNewSecretIsUsed(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.enrol()
            try await kiosk.state.renew(userID: user.identity)
            let state = try kiosk.state
            kiosk.network.before("clientSecret") { try await state.revoke(userID: user.identity) }
            let error = try await kiosk.failure(user)
            #expect(error?.status == .revoked && kiosk.network.isSettled)
            // The server accepted the first login.
            #expect(error?.outcomeIsUnknown == true)
            try await kiosk.expectRefused(user, by: error)
        }
    }
}
