// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import LoginValues
import MPinClient
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client with the Trust platform of this backend, as ``OwnClientTests`` for the older dialects.
@Suite struct OwnPlatformClientTests {
    @Test(arguments: [Dialect.trust2023, .trust2025])
    func registersAndLogsABrowserIn(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let project = try await kiosk.project(dialect)
            let user = try await kiosk.verifyAndRegister("alice@example.com", at: project)
            #expect(user.state == .registered && user.canSign && user.pinLength == 4)
            #expect(user.dialect?.rawValue == dialect.rawValue)

            let (accessID, webOTT) = try await project.session()
            let code = try #require(AccessCode(accessID))
            let session = try await kiosk.mpin.sessionDetails(for: code)
            #expect(session.appName == "login-kiosk demonstration")
            #expect(try await project.access(webOTT).string("status") == "wid")
            try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
            _ = try await kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
            let access = try await project.access(webOTT)
            #expect(access.string("status") == "authenticate" && access.string("userId") == "alice@example.com")
        }
    }

    @Test(arguments: [Dialect.trust2023, .trust2025])
    func isBlockedByWrongPINs(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let project = try await kiosk.project(dialect)
            let user = try await kiosk.verifyAndRegister("alice@example.com", at: project)
            let code = try #require(AccessCode(try await project.session().accessID))
            try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
            for _ in 1...3 {
                let error = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.finishAuthentication(of: user, pin: newPIN("9999"), accessCode: code)
                }
                #expect(error?.status == .incorrectPIN)
                kiosk.backend.clock.advance(by: .seconds(8))
            }
            #expect(try await kiosk.mpin.user(user.key)?.state == .blocked)
        }
    }

    /// The backend verifies the client's signature.
    @Test(arguments: [Dialect.trust2023, .trust2025])
    func signs(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let project = try await kiosk.project(dialect)
            let user = try await kiosk.verifyAndRegister("alice@example.com", at: project)
            let document = Array("I owe Bob ten pounds.".utf8)
            func ask(_ path: String, _ fields: [(name: String, value: String)]) async throws -> JSONObject {
                let reply = try await kiosk.backend.client.send(
                    .post, path + "?" + FormFields.text(fields), body: nil)
                try #require(reply.status == 200, "\(path): \(reply.text)")
                return reply.object
            }
            let made = try await ask("/CreateDocumentHash", [("document", String(decoding: document, as: UTF8.self))])
            let hash = try #require(made.string("hash"))
            #expect(MPin.verifyDocument(document, hash: Array(hash.utf8)))
            let time = try #require(made.integer("timestamp"))
            let signature = try await kiosk.mpin.sign(
                documentHash: Array(hash.utf8), as: user, pin: newPIN("1234"), timestamp: UInt32(time))
            let data = made.members.merging(["timestamp": .string(String(time))]) { $1 }
            let verdict = try await ask(
                "/VerifySignature",
                [
                    ("verificationData", signature.json),
                    ("documentData", String(decoding: JSONObject(data).body, as: UTF8.self)),
                ])
            #expect(verdict.flag("verified") == true && verdict.string("status") == "ValidSignature")
        }
    }
}

extension OwnClient {
    /// The project at the backend's origin.
    func project(_ dialect: Dialect) async throws -> TrustProject {
        try await TrustProject(try #require(dialect.platformGeneration), at: backend, isOrigin: true)
    }

    /// Registers with the PIN 1234, through the mail's link.
    func verifyAndRegister(_ identity: String, at project: TrustProject) async throws -> User {
        let new = await mpin.makeNewUser(identity, deviceName: "front door")
        #expect(try await mpin.startVerification(of: new).method == .codeOrLink)
        let code = SecretBytes(copying: Array(try await project.newestCode().utf8))
        let verified = try await mpin.finishVerification(of: new, code: code)
        var user = try await mpin.startRegistration(of: new, activateCode: verified.activationToken)
        user = try await mpin.confirmRegistration(of: user)
        return try await mpin.finishRegistration(of: user, pin: try newPIN("1234"))
    }
}
