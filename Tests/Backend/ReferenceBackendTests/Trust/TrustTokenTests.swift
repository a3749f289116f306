// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// Tokens for applications, codes for other devices, new keys. docs/protocol/miracl.md, sections 11 and 13.
@Suite struct TrustTokenTests {
    @Test(arguments: TrustProject.generations)
    func anApplicationChecksTheToken(_ generation: PlatformGeneration) async throws {
        try await withTrustDevice(generation) { project, device in
            let token = try #require(try await device.logIn().object.string("jwt"))
            let keys = try await project.get("/.well-known/jwks", expecting: 200)
            let claims = try SignedToken(token).claims(checkedWith: keys)
            #expect(claims.string("sub") == "alice@example.com")
            #expect(claims.string("aud") == project.id)
            #expect(claims.string("iss") == project.url)
            #expect(claims.integer("exp") == project.backend.clock.now.seconds + 300)
            #expect(try await device.logIn(pin: "9999").object.string("jwt") == nil)
        }
    }

    /// The web site accepts the token of a login at its own endpoint, for five minutes.
    @Test func aTokenIsForItsEndpointAndTime() async throws {
        try await withTrustDevice { project, device in
            let clock = project.backend.clock
            let other = try await TrustProject(.trust2023, at: project.backend)
            let token = try await device.applicationCode("")
            func status(_ project: TrustProject) async throws -> Int {
                try await project.post("/authtoken", ["code": .string(token), "userID": .string(Device.userID)]).status
            }
            #expect(try await status(project) == 200)
            #expect(try await status(other) == 401)
            clock.advance(by: .seconds(299))
            #expect(try await status(project) == 200)
            clock.advance(by: .seconds(1))
            #expect(try await status(project) == 401)
        }
    }

    @Test(arguments: TrustProject.generations)
    func aDeviceLetsAnotherOneRegister(_ generation: PlatformGeneration) async throws {
        try await withTrustDevice(generation) { project, first in
            let jwt = try #require(try await first.authenticate(scope: "reg-code").object.string("jwt"))
            let body: [String: JSONValue] = [
                "projectId": .string(project.id), "jwt": .string(jwt), "deviceName": "kiosk",
            ]
            let made = try await project.post("/verification/quickcode", body, expecting: 200)
            let code = try #require(made.string("code"))
            #expect(code.count == 6 && code.allSatisfy(\.isWholeNumber))
            #expect(made.integer("ttlSeconds") == 300)
            #expect(made.integer("expireTime") == project.backend.clock.now.seconds + 300)
            #expect(try await project.post("/verification/quickcode", body).status == 400)

            let second = try await Device.registered(pin: "9876", code: code, at: project)
            #expect(MPinIDText.verification(of: second.mpinID) == .registrationCode)
            #expect(try await second.logIn(pin: "9876").status == 200)
            #expect(try await first.logIn().status == 200)
            let chained = try await second.authenticate(pin: "9876", scope: "reg-code")
            #expect(chained.status == 403)
            #expect(chained.trustError == "LIMITED_QUICKCODE_GENERATION")
        }
    }

    @Test func aRegistrationCodeNeedsTheRightToken() async throws {
        try await withTrustDevice { project, device in
            let login = try #require(try await device.logIn().object.string("jwt"))
            for token in [login, "", "a.b.c", "..", login + "."] {
                let reply = try await project.post(
                    "/verification/quickcode", ["projectId": .string(project.id), "jwt": .string(token)])
                #expect(reply.status == 400)
                #expect(reply.trustContext("params") == "jwt")
            }
        }
    }

    /// `ScriptClientTests.takesANewKey` has what becomes of the old key.
    @Test(arguments: TrustProject.generations)
    func aDeviceTakesANewKeyWithinASession(_ generation: PlatformGeneration) async throws {
        try await withTrustDevice(generation) { project, old in
            let backend = project.backend
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.renew(userID: "alice@example.com") == 1)
            #expect(try await old.logIn(pin: "9999").object.object("dvsRegister") == nil)

            backend.clock.advance(by: .seconds(2))
            let (accessID, webOTT) = try await project.session()
            let offer = try #require(try await old.logInBrowser(accessCode: accessID).object.object("dvsRegister"))
            #expect(offer.string("curve") == "BN254CX")
            let renewed = try await old.renewed(offer)
            let repeated = try await renewed.logInBrowser(accessCode: accessID)
            #expect(repeated.status == 200)
            #expect(repeated.object.object("dvsRegister") == nil)
            #expect(try await project.access(webOTT).string("userId") == "alice@example.com")
            #expect(try await state.users().count == 1)
            #expect(try await renewed.logIn(accessID) == 412)
            let token = JSONValue.string(try #require(offer.string("token")))
            let again = try await project.post(
                generation == .trust2025 ? "/registration" : "/rps/v2/dvsregister",
                [
                    "userId": "alice@example.com", "activationToken": token, "dvsRegisterToken": token,
                    "publicKey": .string(Hexadecimal.text(try DVSPrivateKey.random().publicKey.bytes)),
                ])
            #expect(again.trustError == "INVALID_ACTIVATION_TOKEN")
        }
    }
}
