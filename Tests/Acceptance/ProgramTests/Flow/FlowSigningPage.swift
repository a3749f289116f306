// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A web site that asks for a signature of a text. It shows the code of a signing session, and waits.
struct FlowSigningPage {
    /// The text of its QR code.
    let code: String
    /// The access code, and the token with which the site asks.
    var secrets: [String] { code.split(separator: "#").suffix(1).map(String.init) + [webOTT] }
    private let hash: String
    private let webOTT: String
    private let client: SiteClient

    /// - Parameter text: the text to sign. The site also shows it on the kiosk.
    init(_ text: String, site: String, in scratch: Scratch) async throws {
        let file = scratch.path("wanted-signed")
        try Data(text.utf8).write(to: URL(filePath: file))
        let hashing = try await Program("login-kiosk").run(
            ["sign", "--hash", "--document", file, "--state", scratch.path("no"), "--config", scratch.path("no")])
            .expect(0)
        hash = hashing.output.trimmingCharacters(in: .newlines)
        client = SiteClient(site: site)
        let project = try await client.get("/.well-known/project-configuration")
        let session = try await client.post(
            "/rps/v2/session",
            ["projectId": try #require(project["id"] as? String), "hash": hash, "description": text])
        code = try #require(session["qrURL"] as? String, "\(session)")
        webOTT = try #require(session["webOTT"] as? String)
    }

    /// - Returns: the user whose identity signed; nil before.
    func signer() async throws -> String? {
        struct Signature: Decodable { let hash: String, mpinId: String }
        struct MPinID: Decodable { let userID: String }
        let access = try await client.post("/rps/v2/access", ["webOTT": webOTT])
        guard access["status"] as? String == "signed" else { return nil }
        let text = try #require(access["signature"] as? String)
        let signature = try JSONDecoder().decode(Signature.self, from: try #require(Data(base64Encoded: text)))
        #expect(signature.hash == hash)
        let digits = Array(signature.mpinId)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return try JSONDecoder().decode(MPinID.self, from: Data(bytes)).userID
    }
}
