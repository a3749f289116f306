// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding

// Requests of relying parties and applications about signatures. docs/protocol/miracl.md, sections 12.4 and 15.

/// `POST /dvs/verify`.
package struct CertificationRequest: Sendable {
    package let signature: SubmittedSignature

    /// - Throws: `PlatformRefusal` that names the first missing or malformed field.
    package init(_ body: JSONObject) throws(PlatformRefusal) { signature = try SubmittedSignature(of: body) }

    /// Returns the hash that the relying party's authorization may be for; empty when the request names none.
    package static func hash(in body: JSONObject) -> String { body.object("signature")?.string("hash") ?? "" }
}

package struct CertificationReply: Sendable {
    /// A web token, ``SignatureCertificate``.
    package let certificate: String

    package var json: JSONObject { JSONObject(["certificate": .string(certificate)]) }
}

/// The reply of `POST /CreateDocumentHash`: the document that a site wants signed. An application sends it back with
/// the signature.
package struct DocumentOffer: Sendable {
    /// SHA-256 of the document, in lower-case hexadecimal digits.
    package let hash: String
    /// Seconds since 1970.
    package let timestamp: Int64
    /// Proves that the offer comes from this site.
    package let token: String

    package init(hash: String, timestamp: Int64, token: String) {
        (self.hash, self.timestamp, self.token) = (hash, timestamp, token)
    }

    /// Nil when a field is missing. Applications send the time as a number or as text.
    init?(_ data: JSONObject) {
        guard let hash = data.string("hash")?.lowercased(), let token = data.string("authToken"),
            let timestamp = data.integer("timestamp") ?? data.string("timestamp").flatMap({ Int64($0) })
        else { return nil }
        self.init(hash: hash, timestamp: timestamp, token: token)
    }

    package var json: JSONObject {
        JSONObject(["hash": .string(hash), "timestamp": .integer(timestamp), "authToken": .string(token)])
    }
}

/// `POST /VerifySignature`: the site's offer, and the device's signature.
package struct SignedDocument: Sendable {
    /// Nil when a field is missing, which is treated as another site's offer.
    package let offer: DocumentOffer?
    /// Nil when a field is missing or malformed, which is treated as no signature.
    package let signature: SubmittedSignature?

    /// - Parameter fields: `documentData` and `verificationData`.
    /// - Throws: `Refusal` 400 unless both are JSON objects.
    package init(_ fields: FormFields) throws(Refusal) {
        func object(_ name: String) throws(Refusal) -> JSONObject {
            guard let object = fields[name].flatMap({ JSONObject(body: Array($0.utf8)) }) else { throw .invalidData }
            return object
        }
        let signature = try object("verificationData")
        let offer = DocumentOffer(try object("documentData"))
        self.offer = offer
        // The signature's time comes from the offer.
        self.signature = offer.flatMap { try? SubmittedSignature(signature, timestamp: $0.timestamp) }
    }
}

/// The site's verdict on a signed document. The raw values are those on the wire.
package enum DocumentVerdict: String, Sendable {
    case valid = "ValidSignature", badPIN = "BadPin", userBlocked = "UserBlocked", missing = "MissingSignature"
    case invalid = "InvalidSignature"

    package var json: JSONObject { JSONObject(["verified": .boolean(self == .valid), "status": .string(rawValue)]) }
}
