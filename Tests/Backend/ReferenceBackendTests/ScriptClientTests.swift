// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// MIRACL's JavaScript client in several versions, at the project URLs. Each test covers a request that this backend
/// once handled wrongly, or the whole flow of one version.
@Suite struct ScriptClientTests {
    static let projectID = "project-77"

    /// Runs a client with a backend that serves its project.
    static func withScript(
        _ version: ScriptClient.Version, _ dialect: Dialect, origin: String? = nil,
        _ body: @escaping @Sendable (inout ScriptClient) async throws -> Void
    ) async throws {
        try await withBackend(options: ["--company-id", projectID]) { backend in
            var client = ScriptClient(version, dialect, at: backend, projectID: projectID, origin: origin)
            try await body(&client)
        }
    }

    @Test(arguments: [
        (ScriptClient.Version.six, Dialect.mfaV2), (.seven, .trust2023), (.eight, .trust2023), (.eight, .trust2025),
        (.today, .trust2025),
    ])
    func registersAndLogsAPageIn(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await Self.withScript(version, dialect) { client in
            try await client.verifyAndRegister()
            #expect(try await client.backend.mails().count == 1)
            let (accessID, webOTT) = try await client.page()
            #expect(try await client.fetchStatus(webOTT).string("status") == "new")
            #expect(try await client.device.logIn(accessID, pin: "9999") == 401)
            client.backend.clock.letDelaysPass()
            #expect(try await client.device.logIn(accessID) == 200)
            let status = try await client.fetchStatus(webOTT)
            #expect(status.string("status") == "authenticate" && status.string("userId") == Device.userID)
            #expect(try await client.device.logIn(accessID) == 412)
            // The client sends the code of a finished page even without a page.
            if version != .six {
                let token = try await client.device.authenticate(scope: "jwt", accessCode: accessID)
                #expect(token.object.string("jwt") != nil)
            }
        }
    }

    /// A client with a field for the code of a newcomer's mail, as MIRACL's sample of a client has: it hands the typed
    /// code in where others hand in the link's.
    @Test(arguments: [
        (ScriptClient.Version.seven, Dialect.trust2023), (.eight, .trust2025), (.today, .trust2025),
    ])
    func typesTheCodeOfTheMail(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await Self.withScript(version, dialect) { client in
            let asked = try await client.sendVerificationEmail(Device.userID)
            #expect(asked.object.string("method") == "code")
            let code = try #require(try await client.backend.mails().first?.string("code"))
            #expect(try await client.confirm(Device.userID, code: "00000000" + code).status == 400)
            let confirmed = try await client.confirm(Device.userID, code: code)
            try await client.register(code: try #require(confirmed.object.string("actToken")))
            #expect(try await client.device.logIn().status == 200)
        }
    }

    /// The client keeps its mpin_id and takes only a new key.
    @Test(arguments: [
        (ScriptClient.Version.seven, Dialect.trust2023), (.eight, .trust2023), (.eight, .trust2025),
        (.today, .trust2025),
    ])
    func takesANewKey(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await Self.withScript(version, dialect) { client in
            try await client.verifyAndRegister()
            let state = try BackendState(directory: client.backend.state.path, clock: client.backend.clock)
            #expect(try await state.renew(userID: Device.userID) == 1)
            let old = try client.device
            try await client.renew(try await old.logIn().object.object("dvsRegister"))
            let new = try client.device
            #expect(new.publicKeyHex != old.publicKeyHex)
            #expect((new.mpinIDHex == old.mpinIDHex) == (version != .today))
            // The old key is valid until the new one is used.
            #expect(try await old.logIn().status == 200)
            let renewed = try await new.logIn()
            #expect(renewed.status == 200 && renewed.object.object("dvsRegister") == nil)
            #expect(try await old.logIn().status != 200)
            #expect(try await new.logIn().status == 200)
            #expect(try await state.users().count == 1)
        }
    }

    /// Some versions offer the key that they have, so there is no other to wait for, and they are not asked again.
    @Test(arguments: [ScriptClient.Version.seven, .eight])
    func offersTheKeyThatItHas(_ version: ScriptClient.Version) async throws {
        try await Self.withScript(version, .trust2023) { client in
            try await client.verifyAndRegister()
            let device = try client.device
            let state = try BackendState(directory: client.backend.state.path, clock: client.backend.clock)
            #expect(try await state.renew(userID: Device.userID) == 1)
            let offer = try await device.logIn().object.object("dvsRegister")
            let reply = try await client.wire.send(
                .post, "/rps/v2/dvsregister",
                [
                    "publicKey": .string(try #require(device.publicKeyHex)),
                    "dvsRegisterToken": .string(try #require(offer?.string("token"))),
                ])
            #expect(reply.status == 200 && reply.object.string("mpinId") == device.mpinIDHex)
            for _ in 0..<2 {
                let login = try await device.logIn()
                #expect(login.status == 200 && login.object.object("dvsRegister") == nil)
            }
            #expect(try await state.users().map(\.needsRenewal) == [false])
        }
    }

    /// Since version 8 refusals are plain codes at every address.
    @Test(arguments: [(ScriptClient.Version.seven, Dialect.trust2023), (.eight, .trust2023), (.eight, .trust2025)])
    func readsTodaysCodesSinceVersionEight(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await Self.withScript(version, dialect) { client in
            let reply = try await Device.start(
                dialect, Device.userID, code: "000000", keyHex: "", over: client.wire)
            guard version == .eight else {
                #expect(reply.object.object("error")?.string("info") != nil)
                return
            }
            #expect(reply.status == 403 && reply.object.string("error") == "INVALID_ACTIVATION_TOKEN")
            #expect(reply.object.string("info") != nil)
            _ = try await client.sendVerificationEmail(Device.userID)
            let soon = try await client.sendVerificationEmail(Device.userID)
            #expect(soon.status == 429 && soon.object.string("error") == "REQUEST_BACKOFF")
            #expect(soon.object.object("context")?.string("backoff").flatMap { Int64($0) } != nil)
        }
    }

    /// Until January 2025 the code for another device came with the login itself. It is valid for its user, once.
    @Test(arguments: [(ScriptClient.Version.six, Dialect.mfaV2), (.seven, .trust2023), (.eight, .trust2025)])
    func aCodeComesWithTheLogin(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await Self.withScript(version, dialect) { client in
            try await client.verifyAndRegister()
            let issued = try await client.device.authenticate(scope: "reg-code").object
            let code = try #require(issued.string("OTP"))
            #expect(code.count == 6 && issued.integer("ttlSeconds") == 300)
            let wire = client.wire
            #expect(try await Device.start(dialect, "bob@example.com", code: code, over: wire).status == 403)
            // No page waits: the code suffices.
            let second = try await Device.registered(dialect, Device.userID, pin: "4321", code: code, over: wire)
            #expect(try await second.logIn(pin: "4321").status == 200)
            #expect(try await second.authenticate(pin: "4321", scope: "reg-code").status == 403)
            #expect(try await Device.start(dialect, Device.userID, code: code, over: wire).status == 403)
        }
    }

    @Test(arguments: [(ScriptClient.Version.six, Dialect.mfaV2), (.seven, .trust2023)])
    func getsPasswordsAndAuthorizationCodes(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await Self.withScript(version, dialect) { client in
            try await client.verifyAndRegister()
            let password = try await client.device.authenticate(scope: "otp").object
            #expect(password.string("OTP")?.count == 6 && password.integer("ttlSeconds") == 60)
            let (accessID, webOTT) = try await client.page()
            let login = try await client.device.authenticate(scope: "authcode", accessCode: accessID)
            #expect(login.object.string("code")?.isEmpty == false)
            #expect(try await client.fetchStatus(webOTT).string("status") == "authenticate")
            let late = try await client.device.authenticate(scope: "authcode", accessCode: accessID)
            #expect(late.status == 412)
        }
    }

    /// The client repeats its relying party's data with every session, including that party's address.
    @Test(arguments: [(ScriptClient.Version.six, Dialect.mfaV2), (.seven, .trust2023)])
    func namesItsRelyingParty(_ version: ScriptClient.Version, _ dialect: Dialect) async throws {
        try await Self.withScript(version, dialect) { client in
            try await client.verifyAndRegister()
            let folder = try StateDirectory(path: client.backend.state.path)
            let clientID = try RelyingPartyCredentials(state: folder).clientID
            let (accessID, webOTT) = try await client.page(
                "client_id=\(clientID)&redirect_uri=https%3A%2F%2Fshop.example%2Flogin&response_type=code"
                    + "&scope=openid%20email%20profile&state=abc123")
            #expect(try await client.device.logIn(accessID) == 200)
            #expect(try await client.fetchStatus(webOTT).string("status") == "authenticate")
        }
    }

    @Test func asksForNotificationsThatNobodySends() async throws {
        try await Self.withScript(.today, .trust2025) { client in
            let reply = try await client.wire.send(
                .post, "/pushauth?client_id=x", ["prerollId": .string(Device.userID)])
            #expect(reply.status == 400 && reply.object.string("error") == "NO_PUSH_TOKEN")
        }
    }

    @Test func namesAProjectThatIsNotHere() async throws {
        try await Self.withScript(.today, .trust2025) { client in
            let backend = client.backend
            let stranger = ScriptClient(.today, .trust2025, at: backend, projectID: "other")
            let older = ScriptClient(.six, .mfaV2, at: backend, projectID: "other")
            let statuses = [
                try await stranger.fetchAccessID().status,
                try await stranger.sendVerificationEmail(Device.userID).status,
                try await older.fetchAccessID().status,
                try await older.fetchAccessID("client_id=nobody&response_type=code").status,
                try await older.sendVerificationEmail(Device.userID).status,
            ]
            #expect(statuses == [400, 400, 400, 400, 406])
            #expect(try await backend.mails().isEmpty)
        }
    }
}
