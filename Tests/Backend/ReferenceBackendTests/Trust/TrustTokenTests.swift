// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// Tokens for applications, codes for other devices, new keys. docs/protocol/miracl.md, sections 11 and 13.
@Suite struct TrustTokenTests {
    @Test(arguments: TrustProject.generations)
    func anApplicationChecksTheToken(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let verdict = try await device.authenticate(pin: "1234", scope: "jwt")
            let token = try #require(verdict.object.string("jwt"))
            let keys = try await project.get("/.well-known/jwks", expecting: 200)
            let claims = try SignedToken(token).claims(checkedWith: keys)
            #expect(claims.string("sub") == "alice@example.com")
            #expect(claims.string("aud") == project.id)
            #expect(claims.string("iss") == project.url)
            #expect(claims.integer("exp") == backend.clock.now.seconds + 300)
            #expect(try await device.authenticate(pin: "9999", scope: "jwt").object.string("jwt") == nil)
        }
    }

    /// The web site accepts the token of a login at its own place, of this user, for five minutes.
    @Test func aTokenIsForItsPlaceAndTime() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let other = try await TrustProject(.trust2023, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let token = try #require(try await device.authenticate(pin: "1234", scope: "jwt").object.string("jwt"))
            func status(_ place: TrustProject, _ user: String = "alice@example.com") async throws -> Int {
                try await place.post("/authtoken", ["code": .string(token), "userID": .string(user)]).status
            }
            #expect(try await status(project) == 200)
            #expect(try await status(other) == 401)
            #expect(try await status(project, "mallory@example.com") == 401)
            backend.clock.advance(by: .seconds(299))
            #expect(try await status(project) == 200)
            backend.clock.advance(by: .seconds(1))
            #expect(try await status(project) == 401)
        }
    }

    @Test(arguments: TrustProject.generations)
    func aDeviceLetsAnotherOneRegister(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let first = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let verdict = try await first.authenticate(pin: "1234", scope: "reg-code")
            let body: [String: JSONValue] = [
                "projectId": .string(project.id), "jwt": .string(try #require(verdict.object.string("jwt"))),
                "deviceName": "kiosk",
            ]
            let made = try await project.post("/verification/quickcode", body, expecting: 200)
            let code = try #require(made.string("code"))
            #expect(code.count == 6 && code.allSatisfy(\.isWholeNumber))
            #expect(made.integer("ttlSeconds") == 300)
            #expect(made.integer("expireTime") == backend.clock.now.seconds + 300)
            #expect(try await project.post("/verification/quickcode", body).status == 400)

            let second = try await TrustDevice.registering(
                "alice@example.com", pin: "9876", activationToken: code, at: project)
            #expect(MPinIDText.verification(of: try second.identity.mpinID) == .registrationCode)
            #expect(try await second.authenticate(pin: "9876", scope: "dvs-auth").status == 200)
            #expect(try await first.authenticate(pin: "1234", scope: "dvs-auth").status == 200)
            let chained = try await second.authenticate(pin: "9876", scope: "reg-code")
            #expect(chained.status == 403)
            #expect(chained.trustError == "LIMITED_QUICKCODE_GENERATION")
        }
    }

    @Test func aQuickCodeNeedsTheRightToken() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let login = try #require(try await device.authenticate(pin: "1234", scope: "jwt").object.string("jwt"))
            for token in [login, "", "a.b.c", "..", login + "."] {
                let reply = try await project.post(
                    "/verification/quickcode", ["projectId": .string(project.id), "jwt": .string(token)])
                #expect(reply.status == 400)
                #expect(reply.trustContext("params") == "jwt")
            }
        }
    }

    @Test(arguments: TrustProject.generations)
    func aDeviceTakesANewKey(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let old = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.renew(userID: "alice@example.com") == 1)
            #expect(try await old.authenticate(pin: "9999", scope: "dvs-auth").object.object("dvsRegister") == nil)

            backend.clock.advance(by: .seconds(2))
            let (accessID, webOTT) = try await project.session()
            let offered = try await old.authenticate(pin: "1234", accessID: accessID)
            let offer = try #require(offered.object.object("dvsRegister"))
            #expect(offer.string("curve") == "BN254CX")
            let token = try #require(offer.string("token"))
            let renewed = try await old.renewed(pin: "1234", token: token)
            // The old key counts until the new one is used. The session is the same.
            #expect(try await old.authenticate(pin: "1234", scope: "dvs-auth").status == 200)
            let repeated = try await renewed.authenticate(pin: "1234", accessID: accessID)
            #expect(repeated.status == 200)
            #expect(repeated.object.object("dvsRegister") == nil)
            #expect(try await project.access(webOTT).string("userId") == "alice@example.com")
            #expect(try await state.users().count == 1)
            #expect(try await renewed.authenticate(pin: "1234", accessID: accessID).status == 412)
            let again = try await project.post(
                generation == .trust2025 ? "/registration" : "/rps/v2/dvsregister",
                [
                    "userId": "alice@example.com", "activationToken": .string(token),
                    "dvsRegisterToken": .string(token),
                    "publicKey": .string(Hexadecimal.text(try DVSPrivateKey.random().publicKey.bytes)),
                ])
            #expect(again.trustError == "INVALID_ACTIVATION_TOKEN")
        }
    }
}

extension TrustDevice {
    /// Makes a new identity with the token of a renewal.
    func renewed(pin: String, token: String) async throws -> TrustDevice {
        guard project.generation == .trust2023 else {
            return try await Self.registering(userID, pin: pin, activationToken: token, at: project)
        }
        let key = try DVSPrivateKey.random()
        let reply = try await project.post(
            "/rps/v2/dvsregister",
            [
                "publicKey": .string(Hexadecimal.text(key.publicKey.bytes)), "deviceName": "kiosk",
                "dvsRegisterToken": .string(token),
            ], expecting: 200)
        let first = try #require(reply.string("dvsClientSecretShare").flatMap { Hexadecimal.bytes($0) })
        let secret = try ClientSecret(
            combining: try ClientSecretShare(bytes: first),
            try await project.share(try #require(reply.string("cs2url"))), dvsKey: key)
        let mpinIDHex = try #require(reply.string("mpinId"))
        let identity = MPinIdentity(
            MPinID(try #require(Hexadecimal.bytes(mpinIDHex))), publicKey: key.publicKey)
        return TrustDevice(
            project: project, userID: userID, mpinIDHex: mpinIDHex,
            publicKeyHex: Hexadecimal.text(key.publicKey.bytes), dtas: try #require(reply.string("dtas")),
            token: try Token(extracting: Self.digits(pin), from: secret, for: identity))
    }
}
