// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

extension RelyingPartyApplication {
    /// The greatest length of a document that is sent, in bytes.
    public static let maximumDocumentLength = 256 * 1024

    /// Asks the application's server for the digest to sign: `POST /CreateDocumentHash`, or below `/login/`.
    ///
    /// - Parameter document: UTF-8, exactly as shown to the person.
    /// - Throws: ``MPinError/Kind/badReply`` when the reply is not `{hash, timestamp, authToken}`;
    ///   ``MPinError/Kind/misuse`` for a document that is too long.
    public func createDocumentHash(_ document: [UInt8]) async throws(MPinError) -> DocumentData {
        guard document.count <= Self.maximumDocumentLength else {
            throw MPinError(
                .misuse,
                detail: "createDocumentHash: the document is longer than \(Self.maximumDocumentLength) bytes")
        }
        let form = FormBody.encoded(["document": SecretBytes(copying: document)])
        return try await post(form, to: "/CreateDocumentHash", or: "/login/CreateDocumentHash", .documentHash) {
            object throws(JSONError) in try DocumentData(object)
        }
    }

    /// Lets the application's server check a signature: `POST /VerifySignature`, or below `/login/`.
    ///
    /// - Parameters:
    ///   - signature: of the digest and time in `documentData`.
    ///   - documentData: from ``createDocumentHash(_:)``.
    /// - Returns: the verdict; an invalid signature is not an error.
    /// - Throws: ``MPinError/Kind/badReply`` when the reply is not `{verified, status}` or contradicts itself.
    public func verifySignature(
        _ signature: DVSSignature, of documentData: DocumentData
    ) async throws(MPinError) -> SignatureVerdict {
        let form = FormBody.encoded([
            "verificationData": SecretBytes(copying: signature.json.utf8), "documentData": documentData.json,
        ])
        return try await post(form, to: "/VerifySignature", or: "/login/VerifySignature", .signatureCheck) {
            object throws(JSONError) in try SignatureVerdict(object)
        }
    }

    /// Posts to either of two paths: servers have these calls at one or the other. Neither changes anything at the
    /// server.
    private func post<Reply>(
        _ form: SecretBytes, to path: StaticString, or otherPath: StaticString, _ kind: RequestKind,
        reading read: @escaping (JSONObject) throws(JSONError) -> Reply
    ) async throws(MPinError) -> Reply {
        func exchange(_ path: StaticString) throws(MPinError) -> Exchange<Reply> {
            let request = try request(
                .post, path, kind, type: "application/x-www-form-urlencoded", body: form, isRepeatable: true)
            return Exchange(kind, request, success: 200...200, reading: read)
        }
        let first = try exchange(path)
        let outcome = await outcome(of: first)
        if case .answered(let response) = outcome, response.status == 404 {
            return try await run(try exchange(otherPath))
        }
        return try first.reply(from: outcome)
    }
}
