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

/// Verification and registration as transcripts. docs/protocol/miracl.md, sections 7 and 8.
@Suite struct TrustRegistrationTests {
    private struct NoList: Error {}

    @Test(arguments: TrustProject.generations)
    func aDeviceRegistersByMail(_ generation: PlatformGeneration) async throws {
        try await withProject(generation, options: ["--company-id", "the-project", "--pin-length", "5"]) { project in
            #expect(project.id == "the-project")
            let device = try await Device.registered(pin: "12345", at: project)
            let text = try #require(JSONObject(body: device.mpinID.bytes))
            #expect(text.string("userID") == "alice@example.com")
            #expect(text.string("cID") == "the-project")
            #expect(text.string("vt") == "em")
            #expect(text.integer("v") == 5)
            let state = try BackendState(directory: project.backend.state.path, clock: project.backend.clock)
            #expect(try await state.users().map(\.status) == [.registered])
        }
    }

    @Test func theReplyTellsTheDeviceWhatItNeeds() async throws {
        try await withProject(options: ["--pin-length", "6"]) { project in
            let token = try await project.verified("alice@example.com")
            let key = try DVSPrivateKey.random()
            let reply = try await project.post(
                "/registration",
                [
                    "userId": "alice@example.com", "deviceName": "kiosk", "activationToken": .string(token),
                    "publicKey": .string(Hexadecimal.text(key.publicKey.bytes)), "deviceTag": "00",
                ], expecting: 200)
            #expect(reply.integer("pinLength") == 6)
            #expect(reply.string("projectId") == project.id)
            #expect(reply.string("verificationType") == "em")
            #expect(reply.integer("nowTime") == project.backend.clock.now.seconds)
            let names = try #require(
                reply.string("dtas").flatMap { Base64.bytes($0) }.flatMap { JSONValue(reading: $0) })
            guard case .array(let names) = names else { throw NoList() }
            #expect(names.count == 2)
            // The shares' URLs are valid for a minute.
            guard case .array(let urls)? = reply.members["secretUrls"], case .string(let url)? = urls.first else {
                throw NoList()
            }
            project.backend.clock.advance(by: .seconds(61))
            _ = try await project.get(String(url.dropFirst(project.url.count)), expecting: 408)
        }
    }

    @Test(arguments: TrustProject.generations)
    func anActivationTokenCountsOnceAndForItsUser(_ generation: PlatformGeneration) async throws {
        try await withProject(generation) { project in
            let token = try await project.verified("alice@example.com")
            let key = Hexadecimal.text(try DVSPrivateKey.random().publicKey.bytes)
            func register(_ userID: String) async throws -> Reply {
                try await Device.start(generation.dialect, userID, code: token, keyHex: key, over: project.wire)
            }
            let stolen = try await register("mallory@example.com")
            #expect(stolen.status == 403)
            #expect(stolen.trustError == "INVALID_ACTIVATION_TOKEN")
            #expect(try await register("alice@example.com").status == 200)
            #expect(try await register("alice@example.com").trustError == "INVALID_ACTIVATION_TOKEN")
        }
    }

    @Test func aTokenSurvivesAMalformedKey() async throws {
        try await withProject { project in
            let token = try await project.verified("alice@example.com")
            for key in ["", "00", String(repeating: "0", count: 256), String(repeating: "f", count: 256)] {
                let reply = try await project.post(
                    "/registration",
                    ["userId": "alice@example.com", "activationToken": .string(token), "publicKey": .string(key)])
                #expect(reply.status == 400)
                #expect(reply.trustContext("params") == "publicKey")
            }
            _ = try await Device.registered(code: token, at: project)
        }
    }

    @Test func theFirstGenerationHasNoRegistrationInOneRequest() async throws {
        try await withProject(.trust2023) { project in
            #expect(try await project.post("/registration", [:]).status == 404)
            let newer = try await TrustProject(.trust2025, at: project.backend)
            #expect(try await newer.post("/registration", [:]).status == 400)
        }
    }

    @Test func aShareIsFetchedOnceAndWithTheRegOTT() async throws {
        try await withProject(.trust2023) { project in
            let token = try await project.verified("alice@example.com")
            let wire = project.wire
            let started = try await Device.start(.trust2023, Device.userID, code: token, over: wire).object
            let mpinIDHex = try #require(started.string("mpinId"))
            let regOTT = try #require(started.string("regOTT"))
            let key = Hexadecimal.text(try DVSPrivateKey.random().publicKey.bytes)
            for (token, status) in [(String(repeating: "0", count: 32), 400), (regOTT, 200), (regOTT, 400)] {
                let share = try await Device.firstShare(.trust2023, mpinIDHex, regOTT: token, keyHex: key, over: wire)
                #expect(share.status == status)
            }
        }
    }

    @Test(arguments: TrustProject.generations)
    func anotherMailHasToWait(_ generation: PlatformGeneration) async throws {
        try await withProject(generation) { project in
            let first = try await project.mail(to: "alice@example.com")
            #expect(first.string("method") == "code" && first.flag("link") == true)
            let backoff = try #require(first.integer("backoff"))
            #expect(backoff == project.backend.clock.now.seconds + 10)
            let body: [String: JSONValue] = ["projectId": .string(project.id), "userId": "alice@example.com"]
            let early = try await project.post("/verification/email", body)
            #expect(early.status == 429)
            #expect(early.trustError == (generation == .trust2025 ? "REQUEST_BACKOFF" : "BACKOFF_ERROR"))
            #expect(early.trustContext("backoff") == String(backoff))
            #expect(try await project.backend.mails().count == 1)
            project.backend.clock.advance(by: .seconds(10))
            #expect(try await project.mail(to: "alice@example.com").integer("backoff") == backoff + 20)
        }
    }

    @Test func aDeviceThatHoldsTheUserTypesACode() async throws {
        try await withTrustDevice { project, device in
            project.backend.clock.advance(by: .seconds(10))
            let foreign = try await project.mail(to: "bob@example.com", mpinIDHex: device.mpinIDHex)
            #expect(foreign.flag("link") == true)
            let sent = try await project.mail(to: "alice@example.com", mpinIDHex: device.mpinIDHex)
            #expect(sent.string("method") == "code" && sent.flag("link") == false)
            // It does not ask to confirm a registration: the person has one.
            let mail = try #require(try await project.backend.mails().first)
            #expect(mail.string("link") == nil)
            #expect(mail.string("subject") == "Choose a new PIN")
            #expect(mail.string("text")?.hasPrefix("Somebody asked for a new PIN for alice@example.com") == true)
            let code = try await project.newestCode()
            #expect(code.count == 8 && code.allSatisfy(\.isWholeNumber))
            let wrong = code == "00000000" ? "00000001" : "00000000"
            for _ in 0..<4 { #expect(try await project.confirm("alice@example.com", code: wrong).status == 400) }
            let token = try #require(
                try await project.confirm("alice@example.com", code: code).object.string("actToken"))
            let renewed = try await Device.registered(pin: "9999", code: token, at: project)
            #expect(renewed.mpinIDHex != device.mpinIDHex)
        }
    }

    @Test func aCodeCannotBeGuessed() async throws {
        try await withTrustDevice { project, device in
            project.backend.clock.advance(by: .seconds(10))
            _ = try await project.mail(to: "alice@example.com", mpinIDHex: device.mpinIDHex)
            let code = try await project.newestCode()
            let wrong = code == "00000000" ? "00000001" : "00000000"
            for _ in 0..<5 { #expect(try await project.confirm("alice@example.com", code: wrong).status == 400) }
            #expect(try await project.confirm("alice@example.com", code: code).status == 400)
            // A link is not affected, so nobody can lock another person out.
            project.backend.clock.advance(by: .seconds(20))
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
        try await withProject(generation) { project in
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
            #expect(confirmed.object.integer("expireTime") == project.backend.clock.now.seconds + 3600)
            #expect(try await project.confirm("alice@example.com", code: code).status == 400)
            project.backend.clock.advance(by: .seconds(10))
            _ = try await project.mail(to: "alice@example.com")
            let late = try await project.newestCode()
            project.backend.clock.advance(by: .seconds(3600))
            #expect(try await project.confirm("alice@example.com", code: late).status == 400)
        }
    }

    @Test func olderDevicesAskForTheirMailElsewhere() async throws {
        try await withProject(.trust2023) { project in
            let sent = try await project.post(
                "/verification",
                ["projectId": .string(project.id), "userId": "alice@example.com", "deviceName": "kiosk"])
            #expect(sent.status == 200)
            #expect(try await project.confirm("alice@example.com", code: project.newestCode()).status == 200)
        }
    }

    @Test func onlyThisProjectAndWhoMayRegister() async throws {
        try await withProject(admitting: ["@example.com"]) { project in
            let other = try await project.post(
                "/verification/email", ["projectId": "other", "userId": "alice@example.com"])
            #expect(other.trustContext("params") == "projectId")
            let stranger = try await project.post(
                "/verification/email", ["projectId": .string(project.id), "userId": "alice@example.org"])
            #expect(stranger.trustContext("params") == "userId")
            #expect(try await project.backend.mails().isEmpty)
        }
    }

    @Test func aRelyingPartyVouches() async throws {
        try await withProject { project in
            let credentials = try RelyingPartyCredentials(state: StateDirectory(path: project.backend.state.path))
            let right = try #require(try project.backend.relyingPartyFields[.authorization])
            let pair = try #require(Base64.bytes(String(right.dropFirst("Basic ".count))))
            let secret = String(String(decoding: pair, as: UTF8.self).dropFirst(credentials.clientID.count + 1))
            let name = credentials.clientID
            let body: [String: JSONValue] = [
                "projectId": .string(project.id), "userId": "alice@example.com", "delivery": "no",
            ]
            for wrong in [name + ":", ":" + secret, name + ":" + name] {
                let header = "Basic " + Base64.text(Array(wrong.utf8))
                #expect(try await project.post("/verification", body, headers: [.authorization: header]).status == 401)
            }
            #expect(try await project.post("/verification", body).status == 401)
            let made = try await project.post("/verification", body, headers: [.authorization: right])
            let link = try #require(made.object.string("verificationURL"))
            let path = String(link.dropFirst(project.backend.addresses.publicURL.count))
            let page = try await project.backend.client.get(path)
            #expect(page.status == 200 && page.text.contains("Hold this code") && !page.text.contains("id=\"code\""))
            let fields = try #require(link.split(separator: "?").last.flatMap { FormFields($0) })
            #expect(fields["user_id"] == "alice@example.com")
            let confirmed = try await project.confirm("alice@example.com", code: try #require(fields["code"]))
            let token = try #require(confirmed.object.string("actToken"))
            let device = try await Device.registered(code: token, at: project)
            let text = try #require(JSONObject(body: device.mpinID.bytes))
            #expect(text.string("vt") == "pv")
            #expect(try await project.backend.mails().isEmpty)
        }
    }
}
