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

/// Logins as transcripts. docs/protocol/miracl.md, sections 6, 9 and 10.
@Suite struct TrustLoginTests {
    @Test(arguments: TrustProject.generations)
    func aDeviceLogsTheBrowserIn(_ generation: PlatformGeneration) async throws {
        try await withTrustDevice(generation) { project, device in
            let (accessID, webOTT) = try await project.session(
                ["userId": "alice@example.com", "description": "A test"],
                headers: project.backend.relyingPartyFields)
            #expect(try await project.access(webOTT).string("status") == "new")
            let details = try await project.report("wid", accessID: accessID).object
            #expect(details.string("prerollId") == "alice@example.com")
            #expect(details.string("projectId") == project.id)
            #expect(details.string("projectName") == "login-kiosk demonstration")
            #expect(details.string("description") == "A test")
            #expect(details.string("hash") == (generation == .trust2025 ? "" : nil))
            #expect(try await project.access(webOTT).string("status") == "wid")
            let named = try await project.report("user", accessID: accessID, userID: device.userID)
            #expect(named.object.string("status") == "OK")
            #expect(try await project.access(webOTT).string("userId") == device.userID)

            let verdict = try await device.logInBrowser(accessCode: accessID)
            #expect(verdict.status == 200)
            #expect(verdict.object.integer("status") == 200)
            let access = try await project.access(webOTT)
            #expect(access.string("status") == "authenticate")
            #expect(access.string("userId") == "alice@example.com")

            // A code is valid once.
            #expect(try await device.logIn(accessID) == 412)
            #expect(try await project.report("wid", accessID: accessID).status == 412)
        }
    }

    /// A page's words would look like the kiosk's own. Only the relying party's reach the device.
    @Test(arguments: TrustProject.generations)
    func onlyTheRelyingPartyDescribesALogin(_ generation: PlatformGeneration) async throws {
        try await withProject(generation) { project in
            func description(_ headers: HTTPFields) async throws -> String? {
                let (accessID, _) = try await project.session(["description": "Free Wi-Fi"], headers: headers)
                return try await project.report("wid", accessID: accessID).object.string("description")
            }
            #expect(try await description([:]) == "")
            #expect(try await description(project.backend.relyingPartyFields) == "Free Wi-Fi")
            let hash: [String: JSONValue] = ["hash": .string(String(repeating: "ab", count: 32))]
            // A document's description may have lines.
            for (text, document, status) in [
                ("a\u{0}b", [:], 400), ("a\nb", [:], 400), ("a\u{85}b", [:], 400), ("a\nb", hash, 200),
                ("a\u{0}b", hash, 400),
            ] as [(String, [String: JSONValue], Int)] {
                let body: [String: JSONValue] = ["projectId": .string(project.id), "description": .string(text)]
                let reply = try await project.post("/rps/v2/session", body.merging(document) { $1 })
                #expect(reply.status == status)
            }
        }
    }

    /// `VerdictTests` has the counting.
    @Test(arguments: TrustProject.generations)
    func eachRefusalHasItsCode(_ generation: PlatformGeneration) async throws {
        try await withTrustDevice(generation) { project, device in
            let isNew = generation == .trust2025
            let wrong = isNew ? "UNSUCCESSFUL_AUTHENTICATION" : "INVALID_AUTH"
            for code in [wrong, wrong, isNew ? "REVOKED_MPINID" : "MPINID_REVOKED"] {
                #expect(try await device.logIn(pin: "9999").trustError == code)
                project.backend.clock.letDelaysPass()
            }
            let late = try await device.passOne()
            #expect(late.status == 410)
            #expect(late.trustError == (isNew ? "EXPIRED_MPINID" : "MPINID_EXPIRED"))
            #expect(late.object.string("requestID") != nil || isNew)
        }
    }

    @Test func aSessionEndsAndACodeHasToBeKnown() async throws {
        try await withTrustDevice { project, device in
            for accessID in [String(repeating: "0", count: 32), nil] {
                let verdict = try await device.authenticate(scope: "oidc", accessCode: accessID)
                #expect(verdict.status == 412)
                #expect(verdict.trustError == "INVALID_AUTHENTICATION_SESSION")
            }
            let (accessID, webOTT) = try await project.session()
            project.backend.clock.advance(by: .seconds(300))
            #expect(try await project.access(webOTT).string("status") == "expired")
            #expect(try await device.logIn(accessID) == 412)
            // None of these counted as a wrong PIN.
            #expect(try await device.logIn(try await project.session().accessID) == 200)
        }
    }

    @Test func theClassicProtocolKnowsNoSuchIdentity() async throws {
        try await withTrustDevice { project, device in
            let backend = project.backend
            #expect(try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").status == 404)
            let classic = try await Device.registered(.milagro, as: "bob@example.com", at: backend)
            var first = try device.passOneBody()
            first["mpin_id"] = .string(classic.mpinIDHex)
            #expect(try await device.sendPassOne(first).status == 400)
        }
    }

    @Test func passOneIsChecked() async throws {
        try await withTrustDevice { _, device in
            let wrong: [(field: String, value: JSONValue)] = [
                ("scope", .array(["oidc", "jwt"])), ("scope", "oidc"), ("scope", .array([])),
                ("scope", .array(["everything"])), ("U", "00"), ("U", .null), ("mpin_id", "zz"), ("mpin_id", "00"),
                ("publicKey", "00"),
            ]
            for (field, value) in wrong {
                var body = try device.passOneBody()
                body[field] = value
                let reply = try await device.sendPassOne(body)
                #expect(reply.status == 400, "\(field)")
                #expect(reply.trustError == "INVALID_REQUEST_PARAMETERS")
                #expect(reply.trustContext("params") == field)
            }
        }
    }
}
