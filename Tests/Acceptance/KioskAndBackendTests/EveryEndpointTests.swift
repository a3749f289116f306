// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client at every endpoint of one backend, with the code of the endpoint's own page, for every dialect of
/// the origin.
@Suite struct EveryEndpointTests {
    @Test(arguments: Dialect.allCases) func isFoundByItsOwnPage(_ origin: Dialect) async throws {
        try await withClient(origin) { kiosk in
            for dialect in Dialect.allCases {
                let endpoint = kiosk.backend.below("/" + dialect.rawValue)
                let user = try await registerAndLogIn(kiosk, at: endpoint, dialect, "\(dialect) below \(origin)")
                if dialect != .milagroWithoutPermits {
                    #expect(user.dialect?.rawValue == dialect.rawValue, "\(dialect) below \(origin)")
                }
                for user in try await kiosk.mpin.allUsers() { try await kiosk.mpin.deleteUser(user) }
                kiosk.backend.clock.advance(by: .seconds(700))
            }
        }
    }

    /// A kiosk in default settings has no company id, and a backend in default settings asks for none.
    @Test(arguments: Dialect.allCases) func takesAKioskInDefaultSettings(_ dialect: Dialect) async throws {
        try await withBackend(options: ["--dialect", dialect.rawValue]) { backend in
            try await OwnClient.connected(to: backend, dialect, company: nil) { kiosk in
                _ = try await registerAndLogIn(kiosk, at: backend, dialect, "\(dialect)")
            }
        }
    }

    private func registerAndLogIn(
        _ kiosk: OwnClient, at endpoint: RunningBackend, _ dialect: Dialect, _ comment: Comment
    ) async throws -> User {
        let mpin = kiosk.mpin
        let browser = Browser(endpoint)
        func code() async throws -> AccessCode {
            _ = try await browser.get("/")
            return try #require(AccessCode(try await browser.anyCode(below: endpoint.base)))
        }
        let first = try await code()
        let found = try await mpin.serviceDetails(at: try WebAddress(endpoint.url))
        // Even classic endpoints name addresses below their own path.
        #expect(endpoint.base.isEmpty || found.backendURL.absoluteText == endpoint.url, comment)
        try await mpin.setBackend(found.backendURL, rpsPrefix: found.rpsPrefix, namedBy: found.namedBy)
        _ = try await mpin.sessionDetails(for: first)
        let new = await mpin.makeNewUser("alice@example.com", deviceName: "front door")
        let user: User
        if dialect.isTrust {
            user = try await kiosk.register(new, code: try await kiosk.verified(new))
        } else {
            let begun = try await mpin.startRegistration(of: new, accessCode: first)
            try await endpoint.confirmNewestMail()
            let confirmed = try await mpin.confirmRegistration(of: begun)
            user = try await mpin.finishRegistration(of: confirmed, pin: newPIN("1234"))
        }
        let second = try await code()
        try await mpin.startAuthentication(of: user, accessCode: second)
        async let login = mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: second)
        #expect(try await browser.waitForLogin() == "alice@example.com", comment)
        _ = try await login
        #expect(try await browser.get("/protected").status == 200, comment)
        return user
    }
}
