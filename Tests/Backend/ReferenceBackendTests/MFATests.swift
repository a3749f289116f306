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

/// The peculiarities of the platform of 2018 to 2022. docs/protocol/miracl.md, sections 4 to 13, dialect mfa-v2.
@Suite struct MFATests {
    @Test func theServiceLeadsToTheSettings() async throws {
        try await Device.withEndpoint(.mfaV2) { endpoint in
            let service = try await endpoint.client.get("/service").object
            let settings = try #require(service.string("url")) + "/" + #require(service.string("rps_prefix"))
            #expect(settings == endpoint.url + "/rps/v2")
            let addresses = try await endpoint.client.get("/rps/v2/clientSettings").object
            for (name, path) in [
                ("registerURL", "user"), ("signatureURL", "signature"), ("pass1URL", "pass1"), ("pass2URL", "pass2"),
                ("authenticateURL", "authenticate"), ("codeStatusURL", "codeStatus"), ("dvsRegURL", "dvsregister"),
            ] { #expect(addresses.string(name) == settings + "/" + path) }
            #expect(try await endpoint.client.get("/.well-known/project-configuration").status == 404)
        }
    }

    @Test func aDeviceRegistersByMail() async throws {
        try await Device.withEndpoint(.mfaV2, options: ["--pin-length", "6"]) { endpoint in
            let wire = Wire(backend: endpoint)
            let started = try await Device.start(.mfaV2, Device.userID, over: wire).object
            #expect(started.integer("pinLength") == 6)
            #expect(started.string("customerId") == Device.companyID)
            #expect(started.string("verificationType") == "em")
            #expect(started.flag("active") == false)
            #expect(started.integer("expireTime") == endpoint.clock.now.seconds + 3600)
            let mpinIDHex = try #require(started.string("mpinId"))
            let regOTT = try #require(started.string("regOTT"))
            for (token, status) in [(regOTT, 401), (String(repeating: "0", count: 32), 400)] {
                #expect(try await Device.firstShare(.mfaV2, mpinIDHex, regOTT: token, over: wire).status == status)
            }
            // Another mail for the same registration.
            let path = "/rps/v2/user/\(mpinIDHex)"
            let again = try await endpoint.client.put(path, ["userId": "alice@example.com", "regOTT": .string(regOTT)])
            #expect(again.object.string("mpinId") == mpinIDHex)
            #expect(try await endpoint.mails().count == 2)
            let stolen = try await endpoint.client.put(path, ["userId": "bob@example.com", "regOTT": .string(regOTT)])
            #expect(stolen.status == 400)

            let device = try await Device.registered(.mfaV2, pin: "123456", at: endpoint)
            let text = try #require(JSONObject(body: device.mpinID.bytes))
            #expect(text.integer("v") == 5)
            #expect(text.members["scope"] == .array(["auth"]))
            #expect(try await device.logIn(pin: "123456").object.string("code") == "")
        }
    }

    @Test func aRegistrationNeedsASession() async throws {
        try await Device.withEndpoint(.mfaV2) { endpoint in
            for body in [[:], ["wid": "nothing"]] as [[String: JSONValue]] {
                let reply = try await endpoint.client.put(
                    "/rps/v2/user", body.merging(["userId": "alice@example.com"]) { $1 })
                #expect(reply.status == 406)
            }
        }
    }

    @Test func aDeviceSigns() async throws {
        try await Device.with(.mfaV2) { device in
            let endpoint = device.backend
            let offer = try await device.authenticate(scope: "dvs-reg").object.object("dvsRegister")
            let signer = try await device.renewed(offer, pin: "5678")
            #expect(try await signer.authenticate(pin: "5678", scope: "dvs-auth").status == 200)
            // Each identity works for its own purpose only.
            #expect(try await signer.authenticate(pin: "5678", scope: "oidc").status == 400)
            #expect(try await device.authenticate(scope: "dvs-auth").status == 400)

            let made = try await endpoint.client.send(.post, "/CreateDocumentHash", body: Array("document=Yes".utf8))
            let signature = try signer.sign(
                try #require(made.object.string("hash")), pin: "5678",
                timestamp: try #require(made.object.integer("timestamp")))
            let fields = FormFields.text([
                ("verificationData", String(decoding: JSONObject(signature).body, as: UTF8.self)),
                ("documentData", String(decoding: made.body, as: UTF8.self)),
            ])
            let verdict = try await endpoint.client.send(.post, "/VerifySignature?" + fields)
            #expect(verdict.object.string("status") == "ValidSignature")
        }
    }

    @Test func devicesTakeNewSecrets() async throws {
        try await Device.with(.mfaV2) { old in
            let offer = try await old.authenticate(scope: "dvs-reg").object.object("dvsRegister")
            let oldSigner = try await old.renewed(offer, pin: "5678")
            let state = try BackendState(directory: old.backend.state.path, clock: old.backend.clock)
            #expect(try await state.renew(userID: Device.userID) == 2)

            let (accessID, webOTT) = try await old.newSession()
            let first = try await old.logInBrowser(accessCode: accessID)
            let renewed = try await Device.finished(
                .mfaV2, old.userID, try #require(first.object.object("renewSecret")), pin: "1234",
                DVSPrivateKey.random(), keyHex: nil, over: old.wire)
            let second = try await renewed.logInBrowser(accessCode: accessID)
            #expect(second.status == 200)
            #expect(second.object.object("renewSecret") == nil)
            #expect(try await old.access(webOTT).string("userId") == Device.userID)

            let signing = try await oldSigner.authenticate(pin: "5678", scope: "dvs-auth")
            let signer = try await renewed.renewed(signing.object.object("dvsRegister"), pin: "5678")
            #expect(try await signer.authenticate(pin: "5678", scope: "dvs-auth").object.object("dvsRegister") == nil)
            #expect(try await state.users().count == 2)
        }
    }
}
