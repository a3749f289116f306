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
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let (accessID, webOTT) = try await project.session(
                ["userId": "alice@example.com", "description": "A test"], headers: backend.relyingPartyFields)
            #expect(try await project.access(webOTT).string("status") == "new")
            let details = try await project.report("wid", accessID: accessID).object
            #expect(details.string("prerollId") == "alice@example.com")
            #expect(details.string("projectId") == project.id)
            #expect(details.string("projectName") == "login-kiosk demonstration")
            #expect(details.string("description") == "A test")
            #expect(details.integer("pinLength") == 4)
            #expect(details.string("hash") == (generation == .trust2025 ? "" : nil))
            #expect(try await project.access(webOTT).string("status") == "wid")
            let named = try await project.report("user", accessID: accessID, userID: device.userID)
            #expect(named.object.string("status") == "OK")
            #expect(try await project.access(webOTT).string("userId") == device.userID)

            let verdict = try await device.authenticate(pin: "1234", accessID: accessID)
            #expect(verdict.status == 200)
            #expect(verdict.object.integer("status") == 200)
            let access = try await project.access(webOTT)
            #expect(access.string("status") == "authenticate")
            #expect(access.string("userId") == "alice@example.com")

            // A code counts once.
            let again = try await device.authenticate(pin: "1234", accessID: accessID)
            #expect(again.status == 412)
            #expect(try await project.report("wid", accessID: accessID).status == 412)
        }
    }

    /// A page's words would look like the kiosk's own. Only the relying party's reach the device.
    @Test(arguments: TrustProject.generations)
    func onlyTheRelyingPartyDescribesALogin(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            func description(_ headers: HTTPFields) async throws -> String? {
                let (accessID, _) = try await project.session(["description": "Free Wi-Fi"], headers: headers)
                return try await project.report("wid", accessID: accessID).object.string("description")
            }
            #expect(try await description([:]) == "")
            #expect(try await description(backend.relyingPartyFields) == "Free Wi-Fi")
            for text in ["a\u{0}b", "a\nb", "a\u{85}b"] {
                let reply = try await project.post(
                    "/rps/v2/session", ["projectId": .string(project.id), "description": .string(text)])
                #expect(reply.status == 400)
            }
            let hash = JSONValue.string(String(repeating: "ab", count: 32))
            let lines = ["a\nb", "a\u{0}b"]
            let statuses = [200, 400]
            for (text, status) in zip(lines, statuses) {
                let reply = try await project.post(
                    "/rps/v2/session",
                    ["projectId": .string(project.id), "hash": hash, "description": .string(text)])
                #expect(reply.status == status)
            }
        }
    }

    @Test(arguments: TrustProject.generations)
    func wrongPINsBlock(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let isNew = generation == .trust2025
            let project = try await TrustProject(generation, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            for number in 1...3 {
                let (accessID, webOTT) = try await project.session()
                let verdict = try await device.authenticate(pin: "9999", accessID: accessID)
                #expect(verdict.status == (number < 3 ? 401 : 410))
                let wrong = isNew ? "UNSUCCESSFUL_AUTHENTICATION" : "INVALID_AUTH"
                let revoked = isNew ? "REVOKED_MPINID" : "MPINID_REVOKED"
                #expect(verdict.trustError == (number < 3 ? wrong : revoked))
                #expect(try await project.access(webOTT).string("status") == "new")
                backend.clock.advance(by: .seconds(4))
            }
            let late = try await project.post("/rps/v2/pass1", try passOne(device))
            #expect(late.status == 410)
            #expect(late.trustError == (isNew ? "EXPIRED_MPINID" : "MPINID_EXPIRED"))
            #expect(late.object.string("requestID") != nil || isNew)
        }
    }

    private func passOne(_ device: TrustDevice) throws -> [String: JSONValue] {
        let attempt = try AuthenticationAttempt(
            identity: try device.identity, token: device.token, pin: TrustDevice.digits("1234"), permit: nil)
        return [
            "scope": .array(["oidc"]), "mpin_id": .string(device.mpinIDHex), "dtas": .string(device.dtas),
            "U": .string(Hexadecimal.text(attempt.commitment.u)), "publicKey": .string(device.publicKeyHex),
        ]
    }

    @Test func aRevokedIdentityIsRefusedAtOnce() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let (accessID, webOTT) = try await project.session()
            let last = try await device.passes(pin: "1234", scope: "oidc", accessID: accessID)
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.revoke(userID: "alice@example.com") == 1)
            let verdict = try await project.post("/rps/v2/authenticate", last)
            #expect(verdict.trustError == "REVOKED_MPINID")
            #expect(try await project.access(webOTT).string("status") == "new")
            #expect(try await project.post("/rps/v2/pass1", try passOne(device)).trustError == "EXPIRED_MPINID")
        }
    }

    @Test func aSessionEndsAndACodeHasToBeKnown() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            for accessID in [String(repeating: "0", count: 32), nil] {
                let verdict = try await device.authenticate(pin: "1234", accessID: accessID)
                #expect(verdict.status == 412)
                #expect(verdict.trustError == "INVALID_AUTHENTICATION_SESSION")
            }
            let (accessID, webOTT) = try await project.session()
            backend.clock.advance(by: .seconds(300))
            #expect(try await project.access(webOTT).string("status") == "expired")
            #expect(try await device.authenticate(pin: "1234", accessID: accessID).status == 412)
            // None of these counted as a wrong PIN.
            let (fresh, _) = try await project.session()
            #expect(try await device.authenticate(pin: "1234", accessID: fresh).status == 200)
        }
    }

    @Test func nothingIsUsedTwice() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let last = try await device.passes(pin: "1234", scope: "dvs-auth")
            #expect(try await project.post("/rps/v2/authenticate", last).status == 200)
            #expect(try await project.post("/rps/v2/authenticate", last).status == 412)
            _ = try await project.post("/rps/v2/pass1", try passOne(device), expecting: 200)
            let second: [String: JSONValue] = [
                "mpin_id": .string(device.mpinIDHex), "V": .string(Hexadecimal.text(try device.anyPoint())),
            ]
            #expect(try await project.post("/rps/v2/pass2", second).status == 200)
            #expect(try await project.post("/rps/v2/pass2", second).status == 400)
        }
    }

    @Test func theClassicProtocolKnowsNoSuchIdentity() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            #expect(try await backend.client.get("/rps/timePermit/\(device.mpinIDHex)").status == 404)
            let classic = try await Device.registered("bob@example.com", pin: "1234", at: backend)
            var first = try passOne(device)
            first["mpin_id"] = .string(classic.mpinIDHex)
            #expect(try await project.post("/rps/v2/pass1", first).status == 400)
        }
    }

    @Test(arguments: [
        ("scope", JSONValue.array(["oidc", "jwt"])), ("scope", "oidc"), ("scope", .array([])),
        ("scope", .array(["everything"])), ("U", "00"), ("U", .null), ("mpin_id", "zz"), ("mpin_id", "00"),
        ("publicKey", "00"),
    ])
    func passOneIsChecked(_ field: String, _ value: JSONValue) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            var body = try passOne(device)
            body[field] = value
            let reply = try await project.post("/rps/v2/pass1", body)
            #expect(reply.status == 400)
            #expect(reply.trustError == "INVALID_REQUEST_PARAMETERS")
            #expect(reply.trustContext("params") == field)
        }
    }
}

extension TrustDevice {
    /// A valid point that proves nothing.
    func anyPoint() throws -> [UInt8] {
        try AuthenticationAttempt(
            identity: try identity, token: token, pin: Self.digits("0001"), permit: nil
        ).commitment.u
    }
}
