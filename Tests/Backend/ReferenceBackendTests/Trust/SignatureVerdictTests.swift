// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Patience
import Sealing
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The verdicts on signatures for an application, and the requirements of the platform's verification.
/// docs/protocol/miracl.md, sections 12.4 and 15.
@Suite struct SignatureVerdictTests {
    private static let hash = Hexadecimal.text(Digest.sha256([]))

    /// The document's hash, and the site's offer.
    private static func made(at project: TrustProject) async throws -> (hash: String, document: JSONObject) {
        let made = try await project.backend.client.send(
            .post, project.base + "/login/CreateDocumentHash?document=" + "I+owe+you+20+pounds.")
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
        try await withTrustDevice(generation) { project, device in
            let (hash, document) = try await Self.made(at: project)
            let time = try #require(document.integer("timestamp"))
            let right = try device.sign(hash, timestamp: time)
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
                project.backend.clock.letDelaysPass()
            }
            #expect(try await Self.verdict(on: right, document.members, at: project) == "UserBlocked")
        }
    }

    /// As an application asks the platform. An old signature does not reset the count.
    @Test func wrongSignaturesBlockAtThePlatform() async throws {
        try await withTrustDevice { project, device in
            let time = project.backend.clock.now.seconds
            for (pin, status) in [
                ("1234", 200), ("9999", 401), ("1234", 200), ("9999", 401), ("1234", 200), ("9999", 410),
                ("1234", 410),
            ] {
                let reply = try await project.verify(
                    try device.sign(Self.hash, pin: pin, timestamp: time), time: time)
                #expect(reply.status == status)
                project.backend.clock.letDelaysPass()
            }
        }
    }

    /// A device whose clock is ahead signs for a time after the certificate's.
    @Test func aSignatureOfTheFutureIsInvalid() async throws {
        try await withTrustDevice { project, device in
            let (hash, document) = try await Self.made(at: project)
            let time = try #require(document.integer("timestamp")) + 60
            let signature = try device.sign(hash, timestamp: time)
            let later = document.members.merging(["timestamp": .integer(time)]) { $1 }
            #expect(try await Self.verdict(on: signature, later, at: project) == "InvalidSignature")
        }
    }

    @Test func onlyRelyingPartiesVerify() async throws {
        try await withTrustDevice(.trust2023) { project, device in
            let credentials = try RelyingPartyCredentials(state: StateDirectory(path: project.backend.state.path))
            let time = project.backend.clock.now.seconds
            let signature = try device.sign(Self.hash, timestamp: time)
            let other = credentials.token(for: Hexadecimal.text(Digest.sha256([1])))
            for authorization in ["", "Basic eDp5", "MAAS-HMAC-SHA256 " + other, "Bearer " + other] {
                let reply = try await project.verify(signature, time: time, credentials: authorization)
                #expect(reply.status == 401)
            }
            let body: [String: JSONValue] = [
                "signature": .object(signature), "timestamp": .integer(time), "type": "verification",
            ]
            #expect(try await project.post("/dvs/verify", body).status == 401)
        }
    }

    /// Both spellings of the id, by a relying party with either credentials. The certificate is checked with the
    /// published keys.
    @Test(arguments: ["mpinId", "mpinid"], [true, false])
    func thePlatformVerifies(_ name: String, byPassword: Bool) async throws {
        try await withTrustDevice { project, device in
            let (hash, document) = try await Self.made(at: project)
            let time = try #require(document.integer("timestamp"))
            var signature = try device.sign(hash, timestamp: time)
            signature[name] = signature.removeValue(forKey: "mpinId")
            let token = try #require(document.string("authToken"))
            let reply = try await project.verify(
                signature, time: time, credentials: byPassword ? nil : "MAAS-HMAC-SHA256 " + token)
            #expect(reply.status == 200)
            let keys = try await project.get("/dvs/jwks", expecting: 200)
            let certificate = try #require(reply.object.string("certificate"))
            let verified: SignatureCertificate? = await WebTokenVerifier(keySet: keys)
                .payload(of: certificate, at: project.backend.clock.now)
            #expect(verified?.covers(hash, signedAt: time) == true)
            let claims = try SignedToken(certificate).claims(checkedWith: keys)
            #expect(claims.string("hash") == hash && claims.integer("cAt") == time)
            #expect(claims.integer("exp") == time + 3600)
            #expect(try await project.get("/.well-known/jwks", expecting: 200) == keys)
            var forged = Array(certificate)
            forged[forged.count - 10] = forged[forged.count - 10] == "A" ? "B" : "A"
            #expect(throws: (any Error).self) { try SignedToken(String(forged)).claims(checkedWith: keys) }
        }
    }

    @Test(arguments: [PlatformGeneration.mfaV2, .trust2023, .trust2025], ["", "/login"])
    func everyEndpointHasBothPaths(_ generation: PlatformGeneration, _ prefix: String) async throws {
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
