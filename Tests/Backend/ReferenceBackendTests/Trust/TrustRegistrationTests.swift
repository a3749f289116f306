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

/// Verification and registration as transcripts. docs/protocol/miracl.md, sections 7 and 8.
@Suite struct TrustRegistrationTests {
    @Test(arguments: TrustProject.generations)
    func aDeviceRegistersByMail(_ generation: PlatformGeneration) async throws {
        try await withBackend(options: ["--company-id", "the-project", "--pin-length", "5"]) { backend in
            let project = try await TrustProject(generation, at: backend)
            #expect(project.id == "the-project")
            let device = try await TrustDevice.registered("alice@example.com", pin: "12345", at: project)
            let text = try #require(Hexadecimal.bytes(device.mpinIDHex).flatMap { JSONObject(body: $0) })
            #expect(text.string("userID") == "alice@example.com")
            #expect(text.string("cID") == "the-project")
            #expect(text.string("vt") == "em")
            #expect(text.integer("v") == 5)
            let identity = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await identity.users().map(\.status) == [.registered])
        }
    }

    @Test func theReplyTellsTheDeviceWhatItNeeds() async throws {
        try await withBackend(options: ["--pin-length", "6"]) { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let token = try await project.verified("alice@example.com")
            let key = try DVSPrivateKey.random()
            let reply = try await project.post(
                "/registration",
                [
                    "userId": "alice@example.com", "deviceName": "kiosk", "activationToken": .string(token),
                    "publicKey": .string(Hexadecimal.text(key.publicKey.bytes)), "deviceTag": "00",
                ], expecting: 200)
            #expect(reply.integer("pinLength") == 6)
            #expect(reply.string("verificationType") == "em")
            #expect(reply.integer("nowTime") == backend.clock.now.seconds)
            let names = try #require(
                reply.string("dtas").flatMap { Base64.bytes($0) }.flatMap { JSONValue(reading: $0) })
            guard case .array(let names) = names else { throw TrustDevice.Unexpected() }
            #expect(names.count == 2)
            // The shares' URLs count for a minute.
            guard case .array(let urls)? = reply.members["secretUrls"], case .string(let url)? = urls.first else {
                throw TrustDevice.Unexpected()
            }
            backend.clock.advance(by: .seconds(61))
            _ = try await project.get(String(url.dropFirst(project.url.count)), expecting: 408)
        }
    }

    @Test(arguments: TrustProject.generations)
    func anActivationTokenCountsOnceAndForItsUser(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let token = try await project.verified("alice@example.com")
            let key = Hexadecimal.text(try DVSPrivateKey.random().publicKey.bytes)
            let isNew = generation == .trust2025
            func register(_ userID: String) async throws -> Reply {
                let name = isNew ? "activationToken" : "activateCode"
                let body: [String: JSONValue] = [
                    "userId": .string(userID), name: .string(token), "publicKey": .string(key),
                ]
                return isNew
                    ? try await project.post("/registration", body)
                    : try await backend.client.put(project.base + "/rps/v2/user", body)
            }
            let stolen = try await register("mallory@example.com")
            #expect(stolen.status == 403)
            #expect(stolen.trustError == "INVALID_ACTIVATION_TOKEN")
            #expect(try await register("alice@example.com").status == 200)
            #expect(try await register("alice@example.com").trustError == "INVALID_ACTIVATION_TOKEN")
        }
    }

    @Test func aTokenSurvivesAMalformedKey() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let token = try await project.verified("alice@example.com")
            for key in ["", "00", String(repeating: "0", count: 256), String(repeating: "f", count: 256)] {
                let reply = try await project.post(
                    "/registration",
                    ["userId": "alice@example.com", "activationToken": .string(token), "publicKey": .string(key)])
                #expect(reply.status == 400)
                #expect(reply.trustContext("params") == "publicKey")
            }
            _ = try await TrustDevice.registering(
                "alice@example.com", pin: "1234", activationToken: token, at: project)
        }
    }

    @Test func theFirstGenerationHasNoRegistrationInOneRequest() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2023, at: backend)
            #expect(try await project.post("/registration", [:]).status == 404)
            let newer = try await TrustProject(.trust2025, at: backend)
            #expect(try await newer.post("/registration", [:]).status == 400)
        }
    }

    @Test func aShareIsFetchedOnceAndWithTheRegOTT() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2023, at: backend)
            let token = try await project.verified("alice@example.com")
            let started = try await project.send(
                .put, "/rps/v2/user", ["userId": "alice@example.com", "activateCode": .string(token)], expecting: 200)
            let mpinIDHex = try #require(started.string("mpinId"))
            let regOTT = try #require(started.string("regOTT"))
            let key = Hexadecimal.text(try DVSPrivateKey.random().publicKey.bytes)
            let path = "/rps/v2/signature/\(mpinIDHex)?publicKey=\(key)&regOTT="
            _ = try await project.get(path + String(repeating: "0", count: 32), expecting: 400)
            _ = try await project.get(path + regOTT, expecting: 200)
            _ = try await project.get(path + regOTT, expecting: 400)
        }
    }

    @Test(arguments: TrustProject.generations)
    func anotherMailHasToWait(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let first = try await project.mail(to: "alice@example.com")
            #expect(first.string("method") == "code" && first.flag("link") == true)
            let backoff = try #require(first.integer("backoff"))
            #expect(backoff == backend.clock.now.seconds + 10)
            let body: [String: JSONValue] = ["projectId": .string(project.id), "userId": "alice@example.com"]
            let early = try await project.post("/verification/email", body)
            #expect(early.status == 429)
            #expect(early.trustError == (generation == .trust2025 ? "REQUEST_BACKOFF" : "BACKOFF_ERROR"))
            #expect(early.trustContext("backoff") == String(backoff))
            #expect(try await backend.mails().count == 1)
            backend.clock.advance(by: .seconds(10))
            #expect(try await project.mail(to: "alice@example.com").integer("backoff") == backoff + 20)
        }
    }

    @Test func aDeviceThatHoldsTheUserTypesACode() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            backend.clock.advance(by: .seconds(10))
            let foreign = try await project.mail(to: "bob@example.com", mpinIDHex: device.mpinIDHex)
            #expect(foreign.flag("link") == true)
            let sent = try await project.mail(to: "alice@example.com", mpinIDHex: device.mpinIDHex)
            #expect(sent.string("method") == "code" && sent.flag("link") == false)
            // It does not ask to confirm a registration: the person has one.
            let mail = try #require(try await backend.mails().first)
            #expect(mail.string("link") == nil)
            #expect(mail.string("subject") == "Choose a new PIN")
            #expect(mail.string("text")?.hasPrefix("Somebody asked for a new PIN for alice@example.com") == true)
            let code = try await project.newestCode()
            #expect(code.count == 8 && code.allSatisfy(\.isWholeNumber))
            let wrong = code == "00000000" ? "00000001" : "00000000"
            for _ in 0..<4 { #expect(try await project.confirm("alice@example.com", code: wrong).status == 400) }
            let token = try #require(
                try await project.confirm("alice@example.com", code: code).object.string("actToken"))
            let renewed = try await TrustDevice.registering(
                "alice@example.com", pin: "9999", activationToken: token, at: project)
            #expect(renewed.mpinIDHex != device.mpinIDHex)
        }
    }

    @Test func aCodeCannotBeGuessed() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            backend.clock.advance(by: .seconds(10))
            _ = try await project.mail(to: "alice@example.com", mpinIDHex: device.mpinIDHex)
            let code = try await project.newestCode()
            let wrong = code == "00000000" ? "00000001" : "00000000"
            for _ in 0..<5 { #expect(try await project.confirm("alice@example.com", code: wrong).status == 400) }
            #expect(try await project.confirm("alice@example.com", code: code).status == 400)
            // A link is not affected, so nobody can lock another person out.
            backend.clock.advance(by: .seconds(20))
            _ = try await project.mail(to: "alice@example.com")
            let link = try await project.newestLinkCode()
            let typed = try await project.newestCode()
            for _ in 0..<5 { #expect(try await project.confirm("alice@example.com", code: wrong).status == 400) }
            #expect(try await project.confirm("alice@example.com", code: typed).status == 400)
            #expect(try await project.confirm("alice@example.com", code: link).status == 200)
        }
    }

    @Test(arguments: TrustProject.generations)
    func aVerificationCountsOnceAndForItsUserAndForAnHour(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            _ = try await project.mail(to: "alice@example.com", accessID: "some-session")
            let code = try await project.newestCode()
            let stolen = try await project.confirm("mallory@example.com", code: code)
            #expect(stolen.status == 400)
            #expect(
                stolen.trustError
                    == (generation == .trust2025 ? "UNSUCCESSFUL_VERIFICATION" : "INVALID_VERIFICATION_CODE"))
            #expect(stolen.trustContext("projectId") == project.id)
            let confirmed = try await project.confirm("alice@example.com", code: code)
            #expect(confirmed.object.string("accessId") == "some-session")
            #expect(confirmed.object.string("projectId") == project.id)
            #expect(confirmed.object.integer("expireTime") == backend.clock.now.seconds + 3600)
            #expect(try await project.confirm("alice@example.com", code: code).status == 400)
            backend.clock.advance(by: .seconds(10))
            _ = try await project.mail(to: "alice@example.com")
            let late = try await project.newestCode()
            backend.clock.advance(by: .seconds(3600))
            #expect(try await project.confirm("alice@example.com", code: late).status == 400)
        }
    }

    @Test func olderDevicesAskForTheirMailElsewhere() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2023, at: backend)
            let sent = try await project.post(
                "/verification",
                ["projectId": .string(project.id), "userId": "alice@example.com", "deviceName": "kiosk"])
            #expect(sent.status == 200)
            #expect(try await project.confirm("alice@example.com", code: project.newestCode()).status == 200)
        }
    }

    @Test func onlyThisProjectAndWhoMayRegister() async throws {
        try await withBackend(admitting: ["@example.com"]) { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let other = try await project.post(
                "/verification/email", ["projectId": "other", "userId": "alice@example.com"])
            #expect(other.trustContext("params") == "projectId")
            let stranger = try await project.post(
                "/verification/email", ["projectId": .string(project.id), "userId": "alice@example.org"])
            #expect(stranger.trustContext("params") == "userId")
            #expect(try await backend.mails().isEmpty)
        }
    }

    @Test func aRelyingPartyVouches() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let file = try #require(try StateDirectory.read(backend.state.path + "/relying-party"))
            let credentials = try #require(JSONObject(body: file))
            let name = try #require(credentials.string("client_id"))
            let secret = try #require(credentials.string("client_secret"))
            let body: [String: JSONValue] = [
                "projectId": .string(project.id), "userId": "alice@example.com", "delivery": "no",
            ]
            for wrong in [name + ":", ":" + secret, name + ":" + name] {
                let header = "Basic " + Base64.text(Array(wrong.utf8))
                #expect(try await project.post("/verification", body, headers: [.authorization: header]).status == 401)
            }
            #expect(try await project.post("/verification", body).status == 401)
            let header = "Basic " + Base64.text(Array((name + ":" + secret).utf8))
            let made = try await project.post("/verification", body, headers: [.authorization: header])
            let link = try #require(made.object.string("verificationURL"))
            let page = try await backend.client.get(String(link.dropFirst(backend.addresses.publicURL.count)))
            #expect(page.status == 200 && page.text.contains("Hold this code") && !page.text.contains("id=\"code\""))
            let fields = try #require(link.split(separator: "?").last.flatMap { FormFields($0) })
            #expect(fields["user_id"] == "alice@example.com")
            let confirmed = try await project.confirm("alice@example.com", code: try #require(fields["code"]))
            let token = try #require(confirmed.object.string("actToken"))
            let device = try await TrustDevice.registering(
                "alice@example.com", pin: "1234", activationToken: token, at: project)
            let text = try #require(Hexadecimal.bytes(device.mpinIDHex).flatMap { JSONObject(body: $0) })
            #expect(text.string("vt") == "pv")
            #expect(try await backend.mails().isEmpty)
        }
    }
}
