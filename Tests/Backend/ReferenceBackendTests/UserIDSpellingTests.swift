// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import Patience
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// A person has one user id in every spelling and at every address.
@Suite struct UserIDSpellingTests {
    /// For Unicode the Kelvin sign is a K, but for a mail server it is another address.
    private static let kelvin = "\u{212a}elly@Example.com"

    @Test(arguments: TrustProject.generations)
    func aCodeIsMailedToWhomItIsFor(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            _ = try await project.mail(to: Self.kelvin)
            let confirmed = try await project.confirm("Kelly@example.com", code: try await project.newestCode())
            #expect(confirmed.status == 200)
            let recipient = try #require(try await backend.mails().first?.string("to"))
            #expect(Array(recipient.utf8) == Array("kelly@example.com".utf8))
            let token = try #require(confirmed.object.string("actToken"))
            let device = try await Device.registered("KELLY@example.com", code: token, at: project)
            let jwt = try #require(try await device.logIn().object.string("jwt"))
            let keys = try await project.get("/dvs/jwks", expecting: 200)
            #expect(try SignedToken(jwt).claims(checkedWith: keys).string("sub") == "kelly@example.com")
        }
    }

    @Test(arguments: Dialect.allCases)
    func operatorsFindEverySpelling(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            _ = try await Device.registered(dialect, as: "Fra\u{6e}k.Mu\u{308}ller@Example.com", at: endpoint)
            let state = try BackendState(directory: endpoint.state.path, clock: endpoint.clock)
            #expect(try await state.users().map { Array($0.userID.utf8) } == [Array("frank.müller@example.com".utf8)])
            #expect(try await state.unblock(userID: "FRANK.M\u{dc}LLER@example.com") == 1)
            #expect(try await state.revoke(userID: "frank.m\u{fc}ller@example.com") == 1)
            #expect(try await state.users().map(\.status) == [.revoked])
        }
    }

    @Test(
        arguments: Dialect.allCases,
        [
            "a\u{202e}b@example.com", "ali\u{200b}ce@example.com", "alice@example.com\u{2066}",
            "alice\u{fffc}@example.com", "a\u{7}@example.com",
            // Too long for a device to register after the mail.
            String(repeating: "\u{1f600}", count: 50) + "@example.com",
        ])
    func whatNobodySeesOrNoDeviceTakesIsRefused(_ dialect: Dialect, _ userID: String) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let reply =
                dialect.platformGeneration == nil
                ? try await Device.start(dialect, userID, over: Wire(backend: endpoint))
                : try await endpoint.client.post(
                    "/verification/email",
                    ["projectId": .string(Device.companyID), "userId": .string(userID), "deviceName": "kiosk"])
            #expect(reply.status == 400)
            #expect(try await endpoint.mails().isEmpty)
        }
    }
}
