// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Sealing
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The verdicts on signatures for an application, and the requirements of the platform's verification.
/// docs/protocol/miracl.md, sections 12.4 and 15.
@Suite struct SignatureVerdictTests {
    private static let document = "I owe you 20 pounds."

    /// The document's hash, and the site's offer.
    private static func made(at project: TrustProject) async throws -> (hash: String, document: JSONObject) {
        let made = try await project.backend.client.send(
            .post, project.base + "/login/CreateDocumentHash",
            body: Array(FormFields.text([("document", document)]).utf8))
        try #require(made.status == 200)
        return (try #require(made.object.string("hash")), made.object)
    }

    private static func verdict(
        on signature: [String: JSONValue], _ document: [String: JSONValue], at project: TrustProject
    ) async throws -> String {
        let fields = FormFields.text([
            ("verificationData", String(decoding: JSONObject(signature).body, as: UTF8.self)),
            ("documentData", String(decoding: JSONObject(document).body, as: UTF8.self)),
        ])
        let reply = try await project.backend.client.send(
            .post, project.base + "/login/VerifySignature", body: Array(fields.utf8))
        try #require(reply.status == 200)
        let status = try #require(reply.object.string("status"))
        #expect(reply.object.flag("verified") == (status == "ValidSignature"))
        return status
    }

    @Test(arguments: TrustProject.generations)
    func theThirdWrongSignatureBlocks(_ generation: PlatformGeneration) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(generation, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let (hash, document) = try await Self.made(at: project)
            let time = try #require(document.integer("timestamp"))
            let right = try device.sign(hash, pin: "1234", timestamp: time)
            #expect(try await Self.verdict(on: right, document.members, at: project) == "ValidSignature")
            // Of an unknown identity, and invalid points.
            let noPoint = JSONValue.string(String(repeating: "0", count: 130))
            for change: [String: JSONValue] in [["mpinId": "00"], ["u": noPoint]] {
                let other = right.merging(change) { $1 }
                #expect(try await Self.verdict(on: other, document.members, at: project) == "MissingSignature")
            }
            let wrong = try device.sign(hash, pin: "9999", timestamp: time)
            for status in ["BadPin", "BadPin", "UserBlocked"] {
                #expect(try await Self.verdict(on: wrong, document.members, at: project) == status)
                backend.clock.letDelaysPass()
            }
            #expect(try await Self.verdict(on: right, document.members, at: project) == "UserBlocked")
        }
    }

    /// A device whose clock is ahead signs for a time after the certificate's.
    @Test func aSignatureOfTheFutureIsInvalid() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let (hash, document) = try await Self.made(at: project)
            let time = try #require(document.integer("timestamp")) + 60
            let signature = try device.sign(hash, pin: "1234", timestamp: time)
            let later = document.members.merging(["timestamp": .integer(time)]) { $1 }
            #expect(try await Self.verdict(on: signature, later, at: project) == "InvalidSignature")
        }
    }

    /// Both spellings of the id, by a relying party with either credentials.
    @Test(arguments: ["mpinId", "mpinid"], [true, false])
    func thePlatformVerifies(_ name: String, byPassword: Bool) async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let (hash, document) = try await Self.made(at: project)
            let time = try #require(document.integer("timestamp"))
            var signature = try device.sign(hash, pin: "1234", timestamp: time)
            signature[name] = signature.removeValue(forKey: "mpinId")
            let file = JSONObject(body: try #require(try StateDirectory.read(backend.state.path + "/relying-party")))
            let pair = [file?.string("client_id"), file?.string("client_secret")].compactMap { $0 }
            let authorization =
                byPassword
                ? "Basic " + Base64.text(Array(pair.joined(separator: ":").utf8))
                : "MAAS-HMAC-SHA256 " + (document.string("authToken") ?? "")
            let reply = try await project.post(
                "/dvs/verify",
                ["signature": .object(signature), "timestamp": .integer(time), "type": "verification"],
                headers: [.authorization: authorization])
            #expect(reply.status == 200)
            let keys = try await project.get("/dvs/jwks", expecting: 200)
            let certificate = try #require(reply.object.string("certificate"))
            let verified: SignatureCertificate? = await WebTokenVerifier(keySet: keys)
                .payload(of: certificate, at: backend.clock.now)
            #expect(verified?.covers(hash, signedAt: time) == true)
            let claims = try SignedToken(certificate).claims(checkedWith: keys)
            #expect(claims.string("hash") == hash && claims.integer("cAt") == backend.clock.now.seconds)
        }
    }

    @Test(arguments: [PlatformGeneration.mfaV2, .trust2023, .trust2025], ["", "/login"])
    func everyPlaceHasBothPaths(_ generation: PlatformGeneration, _ prefix: String) async throws {
        try await withBackend { backend in
            let base = "/" + generation.rawValue + prefix
            let made = try await backend.client.send(.post, base + "/CreateDocumentHash?document=a%2Bb", body: nil)
            #expect(made.object.string("hash") == Hexadecimal.text(Digest.sha256(Array("a+b".utf8))))
            let empty = FormFields.text([
                ("verificationData", "{}"), ("documentData", String(decoding: made.body, as: UTF8.self)),
            ])
            let verdict = try await backend.client.send(.post, base + "/VerifySignature?" + empty, body: nil)
            #expect(verdict.object.string("status") == "MissingSignature")
            for broken in ["/CreateDocumentHash", "/VerifySignature", "/VerifySignature?verificationData=x"] {
                #expect(try await backend.client.send(.post, base + broken, body: nil).status == 400)
            }
        }
    }
}
