// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The peculiarities of the dialect `mfa-v1`.
@Suite struct PlatformTests {
    private static let companyID = "our\"company\""

    @Test func aRegistrationBelongsToABrowserSession() async throws {
        try await withPlatform { backend in
            let client = backend.client
            var body: [String: JSONValue] = ["userId": "alice@example.com", "mobile": 1]
            #expect(try await client.put("/rps/user", body).status == 406)
            body["wid"] = .string(String(repeating: "0", count: 32))
            #expect(try await client.put("/rps/user", body).status == 406)
            #expect(try await backend.mails().isEmpty)
            let (accessCode, _) = try await client.newQRSession()
            body["wid"] = .string(accessCode)
            let started = try await client.put("/rps/user", body)
            #expect(started.status == 200)
            #expect(started.object.integer("nowTime") == backend.clock.now.seconds)
            #expect(started.object.integer("expireTime") == backend.clock.now.seconds + 3600)
            #expect(started.object.string("customerId") == Self.companyID)
            #expect(started.object.string("appId")?.isEmpty == false)
            let mpinID = try #require(started.object.string("mpinId"))
            let text = String(decoding: try #require(Hexadecimal.bytes(mpinID)), as: UTF8.self)
            #expect(
                text.hasPrefix(
                    #"{"issuedAt": 1795262400, "userID": "alice@example.com", "cID": "our\"company\"", "salt": ""#))
            #expect(text.hasSuffix(#"", "v": 1, "mobile": 1}"#))
            #expect(JSONObject(body: Array(text.utf8))?.string("cID") == Self.companyID)

            // A restart continues the registration, even if the session has expired.
            backend.clock.advance(by: LoginSession.lifetime + LoginSession.grace)
            body["regOTT"] = started.object.members["regOTT"]
            let again = try await client.put("/rps/user/\(mpinID)", body)
            #expect(again.status == 200 && again.object.string("mpinId") == mpinID)
            #expect(try await backend.mails().count == 2)
            // A forgotten registration is a new one, and needs a new session.
            backend.clock.advance(by: Registration.lifetime)
            #expect(try await client.put("/rps/user/\(mpinID)", body).status == 406)
        }
    }

    @Test func theSessionTellsWhoseCustomerAsks() async throws {
        try await withPlatform { backend in
            let client = backend.client
            let (accessCode, webOTT) = try await client.newQRSession()
            let details = try await client.post(
                "/rps/codeStatus", ["status": "wid", "wid": .string(accessCode)]
            ).object
            #expect(details.string("prerollId") == "" && details.string("appName") == "login-kiosk demonstration")
            #expect(details.string("customerId") == Self.companyID)
            #expect(details.string("customerName") == "login-kiosk demonstration")
            #expect(details.string("customerLogoURL")?.hasSuffix("/logo.svg") == true)
            // An unknown code is noticed only at the end of a login.
            let unknown = try await client.post("/rps/codeStatus", ["status": "user", "wid": "x", "userId": "a"])
            #expect(unknown.status == 200 && unknown.object.string("status") == "OK")
            let aborted = try await client.post("/rps/codeStatus", ["status": "abort", "wid": .string(accessCode)])
            #expect(aborted.object.string("message") == "")
            #expect(try await client.access(webOTT).string("status") == "abort")
        }
    }

    /// Only a device that asks for it gets a code for its application's server, which is valid once and for a minute.
    @Test(arguments: [Dialect.mfaV1, .mfaV2])
    func anAuthorizationCodeCountsOnceForItsUser(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let endpoint = device.backend
            func code() async throws -> String {
                try #require(try await device.authenticate(wantsCode: true).object.string("code"))
            }
            func redeem(_ code: String, as userID: String = Device.userID) async throws -> Int {
                try await endpoint.client.post(
                    "/authtoken", ["code": .string(code), "userID": .string(userID)]
                ).status
            }
            #expect(try await device.logIn().object.members == ["status": 200, "message": "OK", "code": ""])
            let first = try await code()
            #expect(OneTimeToken(first) != nil)
            #expect(try await redeem(first) == 200)
            #expect(try await redeem(first) == 401)
            let stolen = try await code()
            #expect(try await redeem(stolen, as: "mallory@example.com") == 401)
            #expect(try await redeem(stolen) == 401)
            let late = try await code()
            endpoint.clock.advance(by: PendingLogin.lifetime)
            #expect(try await redeem(late) == 401)
        }
    }

    /// In the classic dialects a plain login ends at the web site.
    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func elsewhereAPlainLoginDoesNotEndAtTheRPS(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            var body = try await device.passes()
            body["authzRequest"] = true
            #expect(try await device.finish(body).status == 412)
        }
    }

    private func withPlatform(_ body: @escaping @Sendable (RunningBackend) async throws -> Void) async throws {
        try await withBackend(options: ["--dialect", "mfa-v1", "--company-id", Self.companyID]) { backend in
            try await body(try backend.identified(as: Self.companyID))
        }
    }
}
