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

/// The platform of 2018 to 2022 as transcripts. docs/protocol/miracl.md, sections 4 to 13, dialect mfa-v2.
@Suite struct MFATests {
    @Test func theSettingsTellTheDialect() async throws {
        try await MFADevice.withBackend { backend in
            let settings = try await MFADevice.settings(backend)
            #expect(settings.flag("usePermits") == false)
            for name in ["registerURL", "pass1URL", "pass2URL", "dvsRegURL", "codeStatusURL", "authenticateURL"] {
                #expect(settings.string(name)?.hasPrefix(backend.addresses.publicURL + "/mfa-v2/rps/v2/") == true)
            }
            var stranger = backend
            stranger.headers = [:]
            for path in ["/service", "/rps/v2/clientSettings"] {
                #expect(try await stranger.client.get(MFADevice.base + path).status == 406)
            }
            #expect(try await backend.client.get(MFADevice.base + "/.well-known/project-configuration").status == 404)
        }
    }

    @Test func aDeviceRegistersByMail() async throws {
        try await MFADevice.withBackend(pinLength: 6) { backend in
            let started = try await MFADevice.started("alice@example.com", at: backend).object
            #expect(started.integer("pinLength") == 6)
            #expect(started.string("customerId") == MFADevice.companyID)
            #expect(started.string("verificationType") == "em")
            #expect(started.flag("active") == false)
            #expect(started.integer("expireTime") == backend.clock.now.seconds + 3600)
            let mpinIDHex = try #require(started.string("mpinId"))
            let regOTT = try #require(started.string("regOTT"))
            let share = "/mfa-v2/rps/v2/signature/\(mpinIDHex)?regOTT="
            #expect(try await backend.client.get(share + regOTT).status == 401)
            #expect(try await backend.client.get(share + String(repeating: "0", count: 32)).status == 400)
            // Another mail for the same registration.
            let path = "/mfa-v2/rps/v2/user/\(mpinIDHex)"
            let again = try await backend.client.put(path, ["userId": "alice@example.com", "regOTT": .string(regOTT)])
            #expect(again.object.string("mpinId") == mpinIDHex)
            #expect(try await backend.mails().count == 2)
            let stolen = try await backend.client.put(path, ["userId": "bob@example.com", "regOTT": .string(regOTT)])
            #expect(stolen.status == 400)

            let device = try await MFADevice.registered("alice@example.com", pin: "123456", at: backend)
            let text = try #require(Hexadecimal.bytes(device.mpinIDHex).flatMap { JSONObject(body: $0) })
            #expect(text.integer("v") == 5)
            #expect(text.members["scope"] == .array(["auth"]))
            #expect(try await device.authenticate(pin: "123456", scope: "oidc").status == 200)
        }
    }

    @Test func aVerifiedDeviceNeedsNoOtherMail() async throws {
        try await MFADevice.withBackend { backend in
            let path = MFADevice.base + "/verification"
            let sent = try await backend.client.post(
                path, ["userId": "alice@example.com", "clientId": "x", "deviceName": "kiosk"])
            #expect(sent.status == 200)
            let link = try await backend.mailedPage()
            let code = try #require(link.split(separator: "?").last.flatMap { FormFields($0) }?["code"])
            let confirmed = try await backend.client.post(
                path + "/confirmation", ["userId": "alice@example.com", "code": .string(code)])
            let token = try #require(confirmed.object.string("actToken"))
            let device = try await MFADevice.registered("alice@example.com", pin: "1234", code: token, at: backend)
            #expect(try await device.authenticate(pin: "1234", scope: "oidc").status == 200)
            #expect(try await backend.mails().count == 1)
        }
    }

    @Test func aRegistrationNeedsASession() async throws {
        try await MFADevice.withBackend { backend in
            for body in [[:], ["wid": "nothing"]] as [[String: JSONValue]] {
                let reply = try await backend.client.put(
                    "/mfa-v2/rps/v2/user", body.merging(["userId": "alice@example.com"]) { $1 })
                #expect(reply.status == 406)
            }
        }
    }

    @Test func aDeviceLogsTheBrowserIn() async throws {
        try await MFADevice.withBackend { backend in
            let device = try await MFADevice.registered("alice@example.com", pin: "1234", at: backend)
            let (accessID, webOTT) = try await MFADevice.accessCode(backend)
            let details = try await backend.client.post(
                "/mfa-v2/rps/v2/codeStatus", ["status": "wid", "wid": .string(accessID)])
            #expect(details.object.string("customerId") == MFADevice.companyID)
            #expect(details.object.string("appName") == "login-kiosk demonstration")
            #expect(details.object.flag("registerOnly") == false)
            let verdict = try await device.authenticate(pin: "1234", scope: "oidc", accessID: accessID)
            #expect(verdict.object.string("code") == "")
            let access = try await backend.client.post("/mfa-v2/rps/v2/access", ["webOTT": .string(webOTT)])
            #expect(access.object.string("userId") == "alice@example.com")
            #expect(try await device.authenticate(pin: "1234", scope: "oidc", accessID: accessID).status == 412)
        }
    }

    @Test func anApplicationLearnsWhoLoggedIn() async throws {
        try await MFADevice.withBackend { backend in
            let device = try await MFADevice.registered("alice@example.com", pin: "1234", at: backend)
            for user in ["alice@example.com", "bob@example.com"] {
                let (accessID, _) = try await MFADevice.accessCode(backend)
                let verdict = try await device.authenticate(
                    pin: "1234", scope: "oidc", accessID: accessID, wantsCode: true)
                let code = try #require(verdict.object.members["code"])
                let body: [String: JSONValue] = ["code": code, "userID": .string(user)]
                let path = "/mfa-v2/authtoken"
                #expect(try await backend.client.post(path, body).status == (user == device.userID ? 200 : 401))
                #expect(try await backend.client.post(path, body).status == 401)
            }
            #expect(try await backend.client.post("/mfa-v2/authtoken", [:]).status == 400)
            #expect(try await backend.client.get("/mfa-v2/authzurl").status == 200)
        }
    }

    @Test func wrongPINsBlock() async throws {
        try await MFADevice.withBackend { backend in
            let device = try await MFADevice.registered("alice@example.com", pin: "1234", at: backend)
            for status in [401, 401, 410, 410] {
                #expect(try await device.authenticate(pin: "9999", scope: "oidc").status == status)
                backend.clock.advance(by: .seconds(4))
            }
        }
    }

    @Test func aDeviceShowsOneTimePasswords() async throws {
        try await MFADevice.withBackend { backend in
            let device = try await MFADevice.registered("alice@example.com", pin: "1234", at: backend)
            let reply = try await device.authenticate(pin: "1234", scope: "otp").object
            #expect(reply.string("OTP")?.count == 6)
            #expect(reply.string("otp") == reply.string("OTP"))
            #expect(reply.integer("ttlSeconds") == 60)
            #expect(reply.integer("nowTime") == backend.clock.now.milliseconds)
            #expect(reply.integer("expireTime") == backend.clock.now.milliseconds + 60_000)
        }
    }

    @Test func aDeviceLetsAnotherOneRegister() async throws {
        try await MFADevice.withBackend { backend in
            let first = try await MFADevice.registered("alice@example.com", pin: "1234", at: backend)
            let code = try #require(try await first.authenticate(pin: "1234", scope: "reg-code").object.string("otp"))
            #expect(try await MFADevice.started("bob@example.com", code: code, at: backend).status == 403)
            let second = try await MFADevice.registered("alice@example.com", pin: "9876", code: code, at: backend)
            #expect(try await second.authenticate(pin: "9876", scope: "oidc").status == 200)
            #expect(try await second.authenticate(pin: "9876", scope: "reg-code").status == 403)
            #expect(try await MFADevice.started("alice@example.com", code: code, at: backend).status == 403)
        }
    }

    @Test func aDeviceSigns() async throws {
        try await MFADevice.withBackend { backend in
            let device = try await MFADevice.registered("alice@example.com", pin: "1234", at: backend)
            let offered = try await device.authenticate(pin: "1234", scope: "dvs-reg")
            let offer = try #require(offered.object.object("dvsRegister"))
            let signer = try await device.registeredForSigning(offer, pin: "5678")
            #expect(try await signer.authenticate(pin: "5678", scope: "dvs-auth").status == 200)
            // Each identity works for its own purpose only.
            #expect(try await signer.authenticate(pin: "5678", scope: "oidc").status == 400)
            #expect(try await device.authenticate(pin: "1234", scope: "dvs-auth").status == 400)

            let made = try await backend.client.send(
                .post, "/mfa-v2/CreateDocumentHash", body: Array("document=Yes".utf8))
            let hash = try #require(made.object.string("hash"))
            let time = try #require(made.object.integer("timestamp"))
            let signature = try signer.token.sign(
                documentHash: try #require(Hexadecimal.bytes(hash)), identity: try signer.identity,
                pin: try TrustDevice.digits("5678"), timestamp: try Timestamp(UInt32(time)))
            let verification = JSONObject([
                "hash": .string(hash), "mpinId": .string(signer.mpinIDHex), "dtas": .string(signer.dtas),
                "u": .string(Hexadecimal.text(signature.u)), "v": .string(Hexadecimal.text(signature.v)),
                "publicKey": .string(try #require(signer.publicKeyHex)),
            ])
            let fields = FormFields.text([
                ("verificationData", String(decoding: verification.body, as: UTF8.self)),
                ("documentData", String(decoding: made.body, as: UTF8.self)),
            ])
            let verdict = try await backend.client.send(.post, "/mfa-v2/VerifySignature?" + fields)
            #expect(verdict.object.string("status") == "ValidSignature")
        }
    }

    @Test func devicesTakeNewSecrets() async throws {
        try await MFADevice.withBackend { backend in
            let old = try await MFADevice.registered("alice@example.com", pin: "1234", at: backend)
            let offer = try #require(
                try await old.authenticate(pin: "1234", scope: "dvs-reg").object.object("dvsRegister"))
            let oldSigner = try await old.registeredForSigning(offer, pin: "5678")
            let state = try BackendState(directory: backend.state.path, clock: backend.clock)
            #expect(try await state.renew(userID: "alice@example.com") == 2)

            let (accessID, webOTT) = try await MFADevice.accessCode(backend)
            let first = try await old.authenticate(pin: "1234", scope: "oidc", accessID: accessID)
            let renewal = try #require(first.object.object("renewSecret"))
            let renewed = try await MFADevice.finished(
                old.userID, try #require(renewal.string("mpin_id")), renewal, pin: "1234", at: backend)
            let second = try await renewed.authenticate(pin: "1234", scope: "oidc", accessID: accessID)
            #expect(second.status == 200)
            #expect(second.object.object("renewSecret") == nil)
            let access = try await backend.client.post("/mfa-v2/rps/v2/access", ["webOTT": .string(webOTT)])
            #expect(access.object.string("userId") == "alice@example.com")

            let signing = try await oldSigner.authenticate(pin: "5678", scope: "dvs-auth")
            let signer = try await renewed.registeredForSigning(
                try #require(signing.object.object("dvsRegister")), pin: "5678")
            #expect(try await signer.authenticate(pin: "5678", scope: "dvs-auth").object.object("dvsRegister") == nil)
            #expect(try await state.users().count == 2)
        }
    }
}
