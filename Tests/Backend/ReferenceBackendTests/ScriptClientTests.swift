// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// MIRACL's JavaScript client in several versions, at the project URLs. Each test covers a request that this backend
/// once handled wrongly, or the whole flow of one version.
@Suite struct ScriptClientTests {
    static let userID = "alice@example.com"
    static let projectID = "project-77"

    /// Runs a client with a backend that serves its project.
    static func withScript(
        _ version: ScriptClient.Version, _ generation: PlatformGeneration, origin: String? = nil,
        _ body: @escaping @Sendable (inout ScriptClient) async throws -> Void
    ) async throws {
        try await withBackend(options: ["--company-id", projectID]) { backend in
            var client = ScriptClient(version, generation, at: backend, projectID: projectID)
            client.origin = origin
            try await body(&client)
        }
    }

    @Test(arguments: [
        (ScriptClient.Version.six, PlatformGeneration.mfaV2), (.seven, .trust2023), (.eight, .trust2023),
        (.eight, .trust2025), (.today, .trust2025),
    ])
    func registersAndLogsAPageIn(_ version: ScriptClient.Version, _ generation: PlatformGeneration) async throws {
        try await Self.withScript(version, generation) { client in
            try await client.verifyAndRegister(Self.userID, pin: "1234")
            let session = try await client.page()
            #expect(try await client.fetchStatus(session.webOTT).string("status") == "new")
            let wrong = try await client.authenticate(pin: "9999", scope: "oidc", accessID: session.accessID)
            #expect(wrong.status == 401)
            client.backend.clock.letDelaysPass()
            let login = try await client.authenticate(pin: "1234", scope: "oidc", accessID: session.accessID)
            #expect(login.status == 200)
            let status = try await client.fetchStatus(session.webOTT)
            #expect(status.string("status") == "authenticate" && status.string("userId") == Self.userID)
            let again = try await client.authenticate(pin: "1234", scope: "oidc", accessID: session.accessID)
            #expect(again.status == 412)
            // The client sends the code of a finished page even without a page.
            if version != .six {
                let token = try await client.authenticate(pin: "1234", scope: "jwt", accessID: session.accessID)
                #expect(token.object.string("jwt") != nil)
            }
        }
    }

    /// A client with a field for the code of a newcomer's mail, as MIRACL's sample of a client has: it hands the typed
    /// code in where others hand in the link's.
    @Test(arguments: [
        (ScriptClient.Version.seven, PlatformGeneration.trust2023), (.eight, .trust2025), (.today, .trust2025),
    ])
    func typesTheCodeOfTheMail(_ version: ScriptClient.Version, _ generation: PlatformGeneration) async throws {
        try await Self.withScript(version, generation) { client in
            let asked = try await client.sendVerificationEmail(Self.userID)
            #expect(asked.object.string("method") == "code")
            let code = try #require(try await client.backend.mails().first?.string("code"))
            #expect(try await client.confirm(Self.userID, code: "00000000" + code).status == 400)
            let confirmed = try await client.confirm(Self.userID, code: code)
            let token = try #require(confirmed.object.string("actToken"))
            try await client.register(Self.userID, code: token, pin: "1234")
            #expect(try await client.authenticate(pin: "1234", scope: "jwt").status == 200)
        }
    }

    /// The client keeps its mpin_id and takes only a new key.
    @Test(arguments: [
        (ScriptClient.Version.seven, PlatformGeneration.trust2023), (.eight, .trust2023), (.eight, .trust2025),
        (.today, .trust2025),
    ])
    func takesANewKey(_ version: ScriptClient.Version, _ generation: PlatformGeneration) async throws {
        try await Self.withScript(version, generation) { client in
            try await client.verifyAndRegister(Self.userID, pin: "1234")
            let state = try BackendState(directory: client.backend.state.path, clock: client.backend.clock)
            #expect(try await state.renew(userID: Self.userID) == 1)
            let old = client
            let offer = try await client.authenticate(pin: "1234", scope: "dvs-auth").object.object("dvsRegister")
            try await client.renew(Self.userID, try #require(offer), pin: "1234")
            #expect(client.publicKeyHex != old.publicKeyHex)
            #expect((client.mpinIDHex == old.mpinIDHex) == (version != .today))
            // The old key counts until the new one is used, and then no more.
            #expect(try await old.authenticate(pin: "1234", scope: "dvs-auth").status == 200)
            let renewed = try await client.authenticate(pin: "1234", scope: "dvs-auth")
            #expect(renewed.status == 200 && renewed.object.object("dvsRegister") == nil)
            #expect(try await old.authenticate(pin: "1234", scope: "dvs-auth").status != 200)
            #expect(try await client.authenticate(pin: "1234", scope: "dvs-auth").status == 200)
            #expect(try await state.users().count == 1)
        }
    }

    /// Some versions offer the key that they have, so there is no other to wait for, and they are not asked again.
    @Test(arguments: [ScriptClient.Version.seven, .eight])
    func offersTheKeyThatItHas(_ version: ScriptClient.Version) async throws {
        try await Self.withScript(version, .trust2023) { client in
            try await client.verifyAndRegister(Self.userID, pin: "1234")
            let state = try BackendState(directory: client.backend.state.path, clock: client.backend.clock)
            #expect(try await state.renew(userID: Self.userID) == 1)
            let offer = try await client.authenticate(pin: "1234", scope: "dvs-auth").object.object("dvsRegister")
            let token = try #require(offer?.string("token"))
            let key = try #require(client.publicKeyHex)
            let reply = try await client.send(
                "POST", "/rps/v2/dvsregister", #"{"publicKey":"\#(key)","dvsRegisterToken":"\#(token)"}"#)
            #expect(reply.status == 200 && reply.object.string("mpinId") == client.mpinIDHex)
            for _ in 0..<2 {
                let login = try await client.authenticate(pin: "1234", scope: "dvs-auth")
                #expect(login.status == 200 && login.object.object("dvsRegister") == nil)
            }
            #expect(try await state.users().map(\.needsRenewal) == [false])
        }
    }

    /// Since version 8 refusals are plain codes at every address.
    @Test(arguments: [PlatformGeneration.trust2023, .trust2025])
    func readsTodaysCodesSinceVersionEight(_ generation: PlatformGeneration) async throws {
        try await Self.withScript(.eight, generation) { client in
            let reply = try await client.startRegistration(Self.userID, code: "000000", publicKeyHex: "")
            #expect(reply.status == 403 && reply.object.string("error") == "INVALID_ACTIVATION_TOKEN")
            #expect(reply.object.string("info") != nil)
            _ = try await client.sendVerificationEmail(Self.userID)
            let soon = try await client.sendVerificationEmail(Self.userID)
            #expect(soon.status == 429 && soon.object.string("error") == "REQUEST_BACKOFF")
            #expect(soon.object.object("context")?.string("backoff").flatMap { Int64($0) } != nil)
        }
        try await Self.withScript(.seven, .trust2023) { client in
            let reply = try await client.startRegistration(Self.userID, code: "000000", publicKeyHex: "")
            #expect(reply.object.object("error")?.string("info") != nil)
        }
    }

    /// Until January 2025 the code for another device came with the login itself.
    @Test(arguments: [
        (ScriptClient.Version.six, PlatformGeneration.mfaV2), (.seven, .trust2023), (.eight, .trust2025),
    ])
    func aCodeComesWithTheLogin(_ version: ScriptClient.Version, _ generation: PlatformGeneration) async throws {
        try await Self.withScript(version, generation) { client in
            try await client.verifyAndRegister(Self.userID, pin: "1234")
            let issued = try await client.authenticate(pin: "1234", scope: "reg-code").object
            let code = try #require(issued.string("OTP"))
            #expect(code.count == 6 && issued.integer("ttlSeconds") == 300)
            var second = ScriptClient(version, generation, at: client.backend, projectID: Self.projectID)
            // No page waits: the code suffices.
            try await second.register(Self.userID, code: code, pin: "4321")
            #expect(try await second.authenticate(pin: "4321", scope: "reg-code").status == 403)
        }
    }

    @Test(arguments: [(ScriptClient.Version.six, PlatformGeneration.mfaV2), (.seven, .trust2023)])
    func getsPasswordsAndAuthorizationCodes(
        _ version: ScriptClient.Version, _ generation: PlatformGeneration
    ) async throws {
        try await Self.withScript(version, generation) { client in
            try await client.verifyAndRegister(Self.userID, pin: "1234")
            let password = try await client.authenticate(pin: "1234", scope: "otp").object
            #expect(password.string("OTP")?.count == 6 && password.integer("ttlSeconds") == 60)
            let session = try await client.page()
            let login = try await client.authenticate(pin: "1234", scope: "authcode", accessID: session.accessID)
            #expect(login.object.string("code")?.isEmpty == false)
            #expect(try await client.fetchStatus(session.webOTT).string("status") == "authenticate")
            let late = try await client.authenticate(pin: "1234", scope: "authcode", accessID: session.accessID)
            #expect(late.status == 412)
        }
    }

    /// The client repeats its relying party's data with every session, including that party's address.
    @Test(arguments: [(ScriptClient.Version.six, PlatformGeneration.mfaV2), (.seven, .trust2023)])
    func namesItsRelyingParty(_ version: ScriptClient.Version, _ generation: PlatformGeneration) async throws {
        try await Self.withScript(version, generation) { client in
            try await client.verifyAndRegister(Self.userID, pin: "1234")
            let folder = try StateDirectory(path: client.backend.state.path)
            let clientID = try RelyingPartyCredentials(state: folder).clientID
            let session = try await client.fetchAccessID(
                "client_id=\(clientID)&redirect_uri=https%3A%2F%2Fshop.example%2Flogin&response_type=code"
                    + "&scope=openid%20email%20profile&state=abc123")
            #expect(session.status == 200)
            let accessID = try #require(session.object.string("accessId"))
            #expect(try await client.authenticate(pin: "1234", scope: "oidc", accessID: accessID).status == 200)
            let webOTT = try #require(session.object.string("webOTT"))
            #expect(try await client.fetchStatus(webOTT).string("status") == "authenticate")
        }
    }

    @Test func asksForNotificationsThatNobodySends() async throws {
        try await Self.withScript(.today, .trust2025) { client in
            let reply = try await client.send("POST", "/pushauth?client_id=x", #"{"prerollId":"alice@example.com"}"#)
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
                try await stranger.sendVerificationEmail(Self.userID).status,
                try await older.fetchAccessID().status,
                try await older.fetchAccessID("client_id=nobody&response_type=code").status,
                try await older.sendVerificationEmail(Self.userID).status,
            ]
            #expect(statuses == [400, 400, 400, 400, 406])
            #expect(try await backend.mails().isEmpty)
        }
    }
}

extension ScriptClient {
    /// Registers through a mail's link.
    mutating func verifyAndRegister(_ userID: String, pin: String) async throws {
        let asked = try await sendVerificationEmail(userID)
        try #require(asked.status == 200, "\(asked.text)")
        let link = try await backend.mailedPage()
        let fields = try #require(link.split(separator: "?").last.flatMap { FormFields($0) })
        let confirmed = try await confirm(userID, code: try #require(fields["code"]))
        try await register(userID, code: try #require(confirmed.object.string("actToken")), pin: pin)
    }

    /// Opens a page that waits.
    func page() async throws -> (accessID: String, webOTT: String) {
        let session = try await fetchAccessID()
        try #require(session.status == 200, "\(session.text)")
        return (try #require(session.object.string("accessId")), try #require(session.object.string("webOTT")))
    }
}
