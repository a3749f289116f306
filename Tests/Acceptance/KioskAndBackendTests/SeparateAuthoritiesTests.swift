// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client and a backend with D-TAs in other processes.
@Suite struct SeparateAuthoritiesTests {
    /// The SDK's client in every dialect: new identities, logins, new secrets, also while one D-TA fails.
    @Test(arguments: DialectFlow.dialects) func everyDialect(_ dialect: Dialect) async throws {
        try await withScriptedAuthorities { pair in
            try await Self.withClient(pair, dialect) { kiosk in
                let user = try await kiosk.register()
                #expect(pair.second.takeRequests().contains("clientSecret"))
                try await kiosk.logIn(user)
                guard !dialect.isClassic else { return }
                // A successful login stays so, whatever happens to the new secret.
                for failing in [pair.first, pair.second] {
                    let before = try await kiosk.storage.identities()
                    try await kiosk.state.renew(userID: user.identity)
                    failing.answer { _ in .failure }
                    try await kiosk.logIn(user)
                    #expect(try await kiosk.storage.identities() == before)
                    failing.answer { _ in .honest }
                    try await kiosk.logIn(user)
                    #expect(try await kiosk.storage.identities() != before)
                }
            }
        }
    }

    private static func withClient(
        _ pair: ScriptedAuthorities, _ dialect: Dialect,
        _ body: @escaping @Sendable (OwnClient) async throws -> Void
    ) async throws {
        try await pair.withBackend(options: OwnClient.options(dialect)) { backend in
            let authority = String(pair.second.url.dropFirst("http://".count))
            try await OwnClient.connected(to: backend, dialect, authority: authority, body)
        }
    }
}
