// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import LoginValues
import MPinClient
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client signs and this backend verifies, in every dialect.
@Suite struct SigningFlowTests {
    static let document = Array("I owe Bob ten pounds.".utf8)

    /// Prepares a person for signing, with the returned PIN.
    static func signer(_ kiosk: OwnClient, _ user: User) async throws -> (User, pin: String) {
        guard kiosk.dialect == .mfaV2 else { return (user, "1234") }
        try await kiosk.mpin.startRegistrationDVS(of: user, pin: newPIN("1234"))
        return (try await kiosk.mpin.finishRegistrationDVS(of: user, pinDVS: newPIN("5678")), "5678")
    }

    @Test(arguments: DialectFlow.dialects) func registersForSigning(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            guard DialectFlow.signingRegistration.isThere(in: dialect) else {
                await kiosk.expectAbsent {
                    try await kiosk.mpin.startRegistrationDVS(of: user, pin: newPIN("1234"))
                }
                return
            }
            let wrong = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.startRegistrationDVS(of: user, pin: newPIN("9999"))
            }
            #expect(wrong?.status == .incorrectPIN)
            kiosk.backend.clock.letDelaysPass()
            #expect(try await kiosk.mpin.user(user.key)?.canSign == false)
            try await kiosk.mpin.startRegistrationDVS(of: user, pin: newPIN("1234"))
            let signer = try await kiosk.mpin.finishRegistrationDVS(of: user, pinDVS: newPIN("5678"))
            #expect(signer.canSign && signer.mpinID == user.mpinID && signer.signingPINLength == 4)
            #expect(try await kiosk.stored(user)?.canSign == true)
            try await kiosk.expectUnchanged(signer)
        }
    }

    @Test(arguments: DialectFlow.dialects) func signs(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            guard DialectFlow.signing.isThere(in: dialect) else {
                let user = try await kiosk.register()
                await kiosk.expectAbsent {
                    _ = try await kiosk.mpin.sign(
                        documentHash: MPin.hashDocument(Self.document), as: user, pin: newPIN("1234"))
                }
                return
            }
            let (user, pin) = try await Self.signer(kiosk, try await kiosk.register())
            func ask(_ path: String, _ fields: [(name: String, value: String)]) async throws -> JSONObject {
                let reply = try await kiosk.backend.client.send(.post, path + "?" + FormFields.text(fields))
                try #require(reply.status == 200, "\(path): \(reply.text)")
                return reply.object
            }
            let made = try await ask(
                "/CreateDocumentHash", [("document", String(decoding: Self.document, as: UTF8.self))])
            let hash = Array(try #require(made.string("hash")).utf8)
            #expect(MPin.verifyDocument(Self.document, hash: hash))
            let time = UInt32(try #require(made.integer("timestamp")))
            let wrong = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.sign(documentHash: hash, as: user, pin: newPIN("9999"), timestamp: time)
            }
            #expect(wrong?.status == .incorrectPIN)
            kiosk.backend.clock.letDelaysPass()
            let signature = try await kiosk.mpin.sign(documentHash: hash, as: user, pin: newPIN(pin), timestamp: time)
            let data = made.members.merging(["timestamp": .string(String(time))]) { $1 }
            let verdict = try await ask(
                "/VerifySignature",
                [
                    ("verificationData", signature.json),
                    ("documentData", String(decoding: JSONObject(data).body, as: UTF8.self)),
                ])
            #expect(verdict.flag("verified") == true && verdict.string("status") == "ValidSignature")
        }
    }

    @Test(arguments: DialectFlow.dialects) func signsWhatASessionAsksFor(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            guard DialectFlow.signingSession.isThere(in: dialect) else {
                let code = try #require(AccessCode("00112233445566778899aabbccddeeff"))
                await kiosk.expectAbsent { _ = try await kiosk.mpin.signingSessionDetails(for: code) }
                return
            }
            let user = try await kiosk.register()
            let hash = Hexadecimal.text(MPin.hashDocument(Self.document))
            let session = try await kiosk.session(["hash": .string(hash), "description": "ten pounds"])
            let details = try await kiosk.mpin.signingSessionDetails(for: session.code)
            #expect(details.hash == hash && details.description == "ten pounds" && !details.isSigned)
            let wrong = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.sign(details, as: user, pin: newPIN("9999"))
            }
            #expect(wrong?.status == .incorrectPIN)
            kiosk.backend.clock.letDelaysPass()
            _ = try await kiosk.mpin.sign(details, as: user, pin: newPIN("1234"))
            let access = try await kiosk.backend.client.post(
                "/rps/v2/access", ["webOTT": .string(session.webOTT)]
            ).object
            #expect(access.string("status") == "signed" && access.string("userId") == "alice@example.com")
            // The person refuses, and the session is gone.
            let second = try await kiosk.session(["hash": .string(hash)])
            let refused = try await kiosk.mpin.signingSessionDetails(for: second.code)
            try await kiosk.mpin.abortSigningSession(refused)
            let status = try await kiosk.backend.client.post(
                "/rps/v2/access", ["webOTT": .string(second.webOTT)]
            ).object.string("status")
            #expect(status == "abort")
            let late = try await kiosk.session(["hash": .string(hash)]).code
            kiosk.backend.clock.advance(by: .seconds(301))
            let over = await #expect(throws: MPinError.self) { try await kiosk.mpin.signingSessionDetails(for: late) }
            #expect(over?.status == .incorrectAccessNumber)
        }
    }
}
