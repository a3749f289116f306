// SPDX-License-Identifier: Apache-2.0

import Patience
import BackendTestKit
import Encoding
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client with this backend in the classic dialects, beyond the flows of every dialect.
@Suite struct OwnClientTests {
    static let dialects = Dialect.allCases.filter(\.isClassic)

    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func logsABrowserInByAccessNumber(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            let offer = try await kiosk.backend.client.post("/rps/getAccessNumber", [:]).object
            let digits = try #require(offer.string("accessNumber"))
            let wrong = digits.dropLast() + (digits.hasSuffix("1") ? "2" : "1")
            let mistyped = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.checkAccessNumber(try #require(AccessCode(wrong)))
            }
            #expect(mistyped?.status == .incorrectAccessNumber)
            let number = try #require(AccessCode(digits))
            try await kiosk.mpin.checkAccessNumber(number)
            try await kiosk.mpin.startAuthentication(of: user, accessCode: number)
            async let login = kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: number)
            let browser = Browser(kiosk.backend)
            var access = JSONObject([:])
            while access.string("status") != "authenticate" {
                access = try await kiosk.backend.client.access(offer.string("webOTT") ?? "")
            }
            let authOTT = JSONValue.string(access.string("authOTT") ?? "")
            let reply = try await browser.post("/mpinAuthenticate", ["mpinResponse": .object(["authOTT": authOTT])])
            #expect(reply.status == 200)
            #expect(try await login.canLogout)
            #expect(try await browser.get("/protected").status == 200)
        }
    }

    /// Without permits the refusal comes after the PIN. `StepFlowTests` has the other dialects.
    @Test func isRevokedWithoutPermits() async throws {
        try await withClient(.milagroWithoutPermits) { kiosk in
            let user = try await kiosk.register()
            #expect(try await kiosk.state.revoke(userID: user.identity) == 1)
            let error = try await kiosk.failure(user)
            #expect(error?.status == .incorrectPIN)
            try await kiosk.expectRefused(user, by: error)
        }
    }

    /// The operator changes the dialect, and nobody has to register again.
    @Test(arguments: dialects, dialects)
    func outlivesAChange(_ before: Dialect, _ after: Dialect) async throws {
        let folder = TemporaryFolder()
        let identities = try await withClient(before, folder) { kiosk in
            _ = try await kiosk.register()
            return try await kiosk.storage.identities()
        }
        try await withClient(after, folder, identities) { kiosk in
            let user = try #require(try await kiosk.mpin.users().first)
            try await kiosk.logIn(user)
            #expect(try await kiosk.logIn(user, at: try await kiosk.session()).user == "alice@example.com")
        }
    }

    @Test func aStrangerIsTurnedAway() async throws {
        try await withClient(.mfaV1) { kiosk in
            let address = try WebAddress(kiosk.backend.addresses.publicURL)
            try await kiosk.mpin.setClientID("another company")
            for call in [
                { _ = try await kiosk.mpin.serviceDetails(at: address) },
                { try await kiosk.mpin.testBackend(address) },
            ] {
                let error = await #expect(throws: MPinError.self) { try await call() }
                #expect(error?.status == .badUserAgent)
            }
        }
    }
}
