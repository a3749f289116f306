// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import KioskTestKit
import Testing

@testable import MPinServer
@testable import ReferenceBackend

@Suite struct RegistrationTests {
    private static func start(
        _ userID: String, at backend: RunningBackend
    ) async throws -> (mpinIDHex: String, regOTT: String) {
        let reply = try await backend.client.put("/rps/user", ["userId": .string(userID), "mobile": 1])
        try #require(reply.status == 200)
        #expect(reply.object.flag("active") == false)
        return (try #require(reply.object.string("mpinId")), try #require(reply.object.string("regOTT")))
    }

    private static func signature(
        _ mpinIDHex: String, _ regOTT: String, at backend: RunningBackend
    ) async throws -> Int {
        try await backend.client.get("/rps/signature/\(mpinIDHex)?regOTT=\(regOTT)").status
    }

    @Test func theFirstShareWaitsForTheMailAndComesOnce() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await Self.start("alice@example.com", at: backend)
            #expect(try await Self.signature(mpinID, regOTT, at: backend) == 401)
            try await backend.confirmNewestMail()
            // A wrong regOTT gets nothing and ends nothing.
            #expect(try await Self.signature(mpinID, String(repeating: "0", count: 32), at: backend) == 400)
            #expect(try await backend.client.get("/rps/signature/\(mpinID)").status == 400)
            #expect(try await Self.signature(mpinID, regOTT, at: backend) == 200)
            #expect(try await Self.signature(mpinID, regOTT, at: backend) == 400)
        }
    }

    @Test func aRestartKeepsTheIdentityAndSendsAnotherMail() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await Self.start("alice@example.com", at: backend)
            let again = try await backend.client.put(
                "/rps/user/\(mpinID)", ["userId": "alice@example.com", "mobile": 1, "regOTT": .string(regOTT)])
            #expect(again.status == 200)
            #expect(again.object.string("mpinId") == mpinID)
            #expect(again.object.string("regOTT") == regOTT)
            #expect(try await backend.mails().count == 2)
            try await backend.confirmNewestMail()
            #expect(try await Self.signature(mpinID, regOTT, at: backend) == 200)
        }
    }

    @Test func aRestartBySomebodyElseIsRefused() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await Self.start("alice@example.com", at: backend)
            for body: [String: JSONValue] in [
                ["userId": "alice@example.com", "regOTT": .string(String(repeating: "0", count: 32))],
                ["userId": "alice@example.com"],
                ["userId": "mallory@example.com", "regOTT": .string(regOTT)],
            ] {
                #expect(try await backend.client.put("/rps/user/\(mpinID)", body).status == 400)
            }
            #expect(try await backend.mails().count == 1)
        }
    }

    @Test func anExpiredRegistrationStartsAnew() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await Self.start("alice@example.com", at: backend)
            let link = try await backend.mailedPage()
            backend.clock.advance(by: Registration.lifetime)
            #expect(try await Self.signature(mpinID, regOTT, at: backend) == 400)
            let query = try #require(link.split(separator: "?").last)
            #expect(try await backend.client.send(.post, "/mpinActivate", body: Array(query.utf8)).status == 400)
            let again = try await backend.client.put(
                "/rps/user/\(mpinID)", ["userId": "alice@example.com", "regOTT": .string(regOTT)])
            #expect(again.status == 200)
            #expect(again.object.string("mpinId") != mpinID)
        }
    }

    @Test func aForgedActivationKeyIsRefused() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await Self.start("alice@example.com", at: backend)
            let query = "i=\(mpinID)&e=2026-11-21T13:00:00Z&s=" + String(repeating: "ab", count: 32)
            #expect(try await backend.client.send(.post, "/mpinActivate", body: Array(query.utf8)).status == 400)
            #expect(try await Self.signature(mpinID, regOTT, at: backend) == 401)
        }
    }

    @Test func onlyListedUsersRegister() async throws {
        try await withBackend(admitting: ["Alice@example.com", "@example.org"]) { backend in
            for (userID, status) in [
                ("alice@example.com", 200), ("bob@EXAMPLE.org", 200), ("bob@example.com", 403),
                ("bob@sub.example.org", 403), ("@example.org", 200), ("example.org", 403),
            ] {
                let reply = try await backend.client.put("/rps/user", ["userId": .string(userID)])
                #expect(reply.status == status)
            }
        }
    }

    /// An operator's words, and what they mean.
    @Test func theOperatorSaysWhoMayRegister() {
        #expect(RegistrationPolicy(admitting: []).extent == .nobody)
        #expect(!RegistrationPolicy(admitting: []).admits("alice@example.com"))
        #expect(RegistrationPolicy(admitting: ["anybody"]) == .everyone)
        let listed = RegistrationPolicy(admitting: ["@example.com", "anybody@example.org"])
        #expect(listed.extent == .listed && listed.admits("anybody@example.org") && !listed.admits("anybody"))
        let complaint = Backend.complaint(options: ["--admit", "anybody", "--admit", "@example.com"])
        #expect(complaint.contains("leave out the others"))
        for text in ["*", "*@example.com", ""] {
            #expect(
                Backend.complaint(options: ["--admit", "@example.com", "--admit", text])
                    .contains("name@example.com, @example.com, or anybody"))
        }
    }

    @Test(arguments: [("anybody", "anybody"), ("@example.com", "listed"), ("", "nobody")])
    func theStatusSaysWhoMayRegister(_ argument: String, _ extent: String) async throws {
        try await withBackend(admitting: argument.isEmpty ? [] : [argument]) { backend in
            for endpoint in ["", "/milagro-without-permits", "/mfa-v1"] {
                let status = try await backend.client.get(endpoint + "/status")
                #expect(status.status == 200 && status.object.string("registrations") == extent)
                #expect(status.object.string("message") == "active" && status.object.string("version") != nil)
            }
            #expect(backend.log.text.contains("nobody may register here") == (extent == "nobody"))
        }
    }

    @Test func theMpinIDIsTheClassicText() async throws {
        try await withBackend { backend in
            let (mpinID, _) = try await Self.start("alice@example.com", at: backend)
            let text = String(decoding: try #require(Hexadecimal.bytes(mpinID)), as: UTF8.self)
            #expect(
                text.hasPrefix(
                    #"{"mobile": 1, "issued": "2026-11-21 12:00:00.000000", "userID": "alice@example.com", "salt": ""#))
        }
    }

    @Test func theSecondShareNeedsAFreshSignature() async throws {
        try await withBackend { backend in
            let (mpinID, regOTT) = try await Self.start("alice@example.com", at: backend)
            try await backend.confirmNewestMail()
            let first = try await backend.client.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)").object
            let params = try #require(first.string("params"))
            let client = backend.client
            #expect(try await client.get("/dta/clientSecret?\(params)").status == 200)
            for (broken, status) in [
                (params.replacing("hash_mpin_id=", with: "hash_mpin_id=00"), 403),
                (params.replacing("signature=", with: "signature=00"), 401),
                (params.replacing("mobile=1", with: ""), 403),
                (params.replacing("2026-11", with: "2036-11"), 401),
                ("", 403),
            ] {
                #expect(try await client.get("/dta/clientSecret?\(broken)").status == status, "\(broken)")
            }
            backend.clock.advance(by: .seconds(60))
            #expect(try await client.get("/dta/clientSecret?\(params)").status == 200)
            backend.clock.advance(by: .seconds(1))
            #expect(try await client.get("/dta/clientSecret?\(params)").status == 408)
        }
    }
}
