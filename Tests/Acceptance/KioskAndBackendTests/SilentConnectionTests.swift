// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskPorts
import MPinServer
import ReferenceBackend
import Testing

/// A stranger at the kiosk's own network address, with connections that say nothing.
@Suite struct SilentConnectionTests {
    /// Between any two requests of a kiosk, two hundred silent connections come from its own address.
    @Test(arguments: [Dialect.milagro, .trust2025])
    func thousandsOfSilentConnectionsStopNoLogin(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.register()
            let crowd = IdleCrowd(port: client.backend.addresses.publicPort)
            @Sendable func comeBeforeEachRequest() {
                client.network.before("") {
                    try await crowd.come(200, bound: 128)
                    comeBeforeEachRequest()
                }
            }
            try await KioskPerson.unhurried(client).run { person in
                while crowd.opened < 2000 {
                    let browser = try await client.session()
                    comeBeforeEachRequest()
                    #expect(try await person.logIn(browser, at: client) == "alice@example.com")
                    try await person.outcome(.success)
                }
            }
            await crowd.end()
        }
    }
}
