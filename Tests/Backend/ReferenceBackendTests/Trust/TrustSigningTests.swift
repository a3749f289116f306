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

/// Documents as transcripts. docs/protocol/miracl.md, sections 12 and 15.
@Suite struct TrustSigningTests {
    private static let document = "I owe you 20 pounds + 3 % & a \u{1F37A}."

    @Test(arguments: ["/CreateDocumentHash", "/login/CreateDocumentHash"], [true, false])
    func aSignatureIsVerifiedByTheSite(_ path: String, asForm: Bool) async throws {
        try await withTrustDevice { project, device in
            func send(_ path: String, _ fields: [(name: String, value: String)]) async throws -> Reply {
                let text = FormFields.text(fields)
                return try await project.backend.client.send(
                    .post, project.base + path + (asForm ? "" : "?" + text), body: asForm ? Array(text.utf8) : nil)
            }
            let made = try await send(path, [("document", Self.document)])
            #expect(made.status == 200)
            let hash = try #require(made.object.string("hash"))
            #expect(hash == Hexadecimal.text(Digest.sha256(Array(Self.document.utf8))))
            let timestamp = try #require(made.object.integer("timestamp"))
            var documentData = made.object.members
            documentData["timestamp"] = .string(String(timestamp))

            let verifyPath = path.replacing("CreateDocumentHash", with: "VerifySignature")
            func verdict(_ signature: [String: JSONValue], _ document: [String: JSONValue]) async throws -> [String] {
                let reply = try await send(
                    verifyPath,
                    [
                        ("verificationData", String(decoding: JSONObject(signature).body, as: UTF8.self)),
                        ("documentData", String(decoding: JSONObject(document).body, as: UTF8.self)),
                    ])
                try #require(reply.status == 200)
                return [String(reply.object.flag("verified") ?? false), reply.object.string("status") ?? ""]
            }
            let signature = try device.sign(hash, timestamp: timestamp)
            #expect(try await verdict(signature, documentData) == ["true", "ValidSignature"])
            // The id in one library's spelling.
            var respelled = signature
            respelled["mpinid"] = respelled.removeValue(forKey: "mpinId")
            #expect(try await verdict(respelled, documentData) == ["true", "ValidSignature"])

            // Another time, another document, and one that the site never wanted signed.
            let late = documentData.merging(["timestamp": .string(String(timestamp - 1))]) { $1 }
            #expect(try await verdict(signature, late) == ["false", "BadPin"])
            let other = Hexadecimal.text(Digest.sha256([1]))
            let foreign = try device.sign(other, timestamp: timestamp)
            #expect(try await verdict(foreign, documentData) == ["false", "MissingSignature"])
            let forged = documentData.merging(["hash": .string(other)]) { $1 }
            #expect(try await verdict(foreign, forged) == ["false", "MissingSignature"])
            #expect(try await verdict([:], documentData) == ["false", "MissingSignature"])
        }
    }

    @Test func aBrowserWaitsForASignature() async throws {
        try await withTrustDevice { project, device in
            let hash = Hexadecimal.text(Digest.sha256(Array(Self.document.utf8)))
            let (accessID, webOTT) = try await project.session(["hash": .string(hash), "description": "An IOU"])
            let details = try await project.report("wid", accessID: accessID).object
            #expect(details.string("hash") == hash)
            #expect(details.string("description") == "An IOU")
            // A login does not count as a signature.
            #expect(try await device.logIn(accessID) == 412)
            #expect(try await device.authenticate(scope: "dvs-auth").status == 200)

            let time = project.backend.clock.now.seconds
            func deliver(_ hash: String, pin: String = "1234") async throws -> Reply {
                var signature = try device.sign(hash, pin: pin, timestamp: time)
                signature["timestamp"] = .integer(time)
                return try await project.post(
                    "/rps/v2/codeStatus",
                    [
                        "status": "signed", "wid": .string(accessID),
                        "signature": .string(Base64.text(JSONObject(signature).body)),
                    ])
            }
            #expect(try await deliver(Hexadecimal.text(Digest.sha256([]))).status == 412)
            #expect(try await deliver(hash, pin: "9999").status == 401)
            #expect(try await project.access(webOTT).string("status") == "wid")
            #expect(try await deliver(hash).status == 200)
            let access = try await project.access(webOTT)
            #expect(access.string("status") == "signed")
            #expect(access.string("userId") == "alice@example.com")
            let delivered = access.string("signature").flatMap { Base64.bytes($0) }.flatMap { JSONObject(body: $0) }
            #expect(delivered?.string("hash") == hash)
            #expect(delivered?.integer("timestamp") == time)
            #expect(try await deliver(hash).status == 412)
        }
    }

    @Test func aSigningSessionOfTheFirstGeneration() async throws {
        try await withTrustDevice(.trust2023) { project, device in
            let hash = Hexadecimal.text(Digest.sha256(Array(Self.document.utf8)))
            let made = try await project.post(
                "/dvs/session",
                [
                    "projectID": .string(project.id), "userID": "alice@example.com", "hash": .string(hash),
                    "description": "An IOU",
                ], expecting: 200)
            let id = try #require(made.string("qrURL")?.split(separator: "#").last.map(String.init))
            func details() async throws -> JSONObject {
                try await project.post("/dvs/session/details", ["id": .string(id)], expecting: 200)
            }
            let open = try await details()
            #expect(open.string("userID") == "alice@example.com")
            #expect(open.string("hash") == hash)
            #expect(open.string("status") == "active")
            #expect(open.integer("expireTime") == project.backend.clock.now.seconds + 300)
            let time = project.backend.clock.now.seconds
            func put(_ id: String) async throws -> Reply {
                let body: [String: JSONValue] = [
                    "id": .string(id), "timestamp": .integer(time),
                    "signature": .object(try device.sign(hash, timestamp: time)),
                ]
                return try await project.backend.client.put(project.base + "/dvs/session", body)
            }
            let unknown = try await put("nothing")
            #expect(unknown.trustError == "INVALID_REQUEST_PARAMETERS")
            #expect(unknown.trustContext("params") == "id")
            #expect(try await put(id).object.string("status") == "signed")
            #expect(try await details().string("status") == "signed")

            let second = try await project.post(
                "/dvs/session", ["projectID": .string(project.id), "hash": .string(hash)], expecting: 200)
            let aborted = try #require(second.string("qrURL")?.split(separator: "#").last.map(String.init))
            let gone = try await project.backend.client.send(
                .delete, project.base + "/dvs/session", body: JSONObject(["id": .string(aborted)]).body)
            #expect(gone.status == 200)
            #expect(try await project.access(try #require(second.string("webOTT"))).string("status") == "abort")
        }
    }

    @Test func theKeyOutlivesARestart() async throws {
        let state = TemporaryFolder()
        var keySets: [JSONObject] = []
        for _ in 0..<2 {
            keySets.append(
                try await withBackend(state: state, makesSigningKey: true) { backend in
                    try await TrustProject(.trust2025, at: backend).get("/dvs/jwks", expecting: 200)
                })
        }
        #expect(keySets[0] == keySets[1])
        #expect(throws: BackendError.self) {
            let other = TemporaryFolder()
            let directory = try StateDirectory(path: other.path)
            try StateDirectory.create(directory.file("signing-key"), content: [1, 2, 3])
            _ = try SigningKeyFiles(state: directory).ringOrFirst()
        }
    }
}
