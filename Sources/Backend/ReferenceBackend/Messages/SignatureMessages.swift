// SPDX-License-Identifier: Apache-2.0

// Signatures as relying parties and applications ask about them. MIRACL protocol, sections 12.4 and 15.

/// `POST /dvs/verify`.
struct CertificationRequest: Sendable {
    let signature: SubmittedSignature

    /// - Throws: `PlatformRefusal` that names the first field that is missing or malformed.
    init(_ body: JSONObject) throws(PlatformRefusal) { signature = try SubmittedSignature(of: body) }

    /// Returns the hash that the relying party's authorization may be for; empty when the request does not say.
    static func hash(in body: JSONObject) -> String { body.object("signature")?.string("hash") ?? "" }
}

struct CertificationReply: Sendable {
    /// A web token, ``SignatureCertificate``.
    let certificate: String

    var json: JSONObject { JSONObject(["certificate": .string(certificate)]) }
}

/// The reply of `POST /CreateDocumentHash`: what a site wants to be signed. An application gives it back with the
/// signature.
struct DocumentOffer: Sendable {
    /// SHA-256 of the document, in hexadecimal digits of lower case.
    let hash: String
    /// Seconds since 1970.
    let timestamp: Int64
    /// That it comes from this site.
    let token: String

    init(hash: String, timestamp: Int64, token: String) {
        (self.hash, self.timestamp, self.token) = (hash, timestamp, token)
    }

    /// Nil when a field is missing. Applications send the time as a number or as text.
    init?(_ data: JSONObject) {
        guard let hash = data.string("hash")?.lowercased(), let token = data.string("authToken"),
            let timestamp = data.integer("timestamp") ?? data.string("timestamp").flatMap({ Int64($0) })
        else { return nil }
        self.init(hash: hash, timestamp: timestamp, token: token)
    }

    var json: JSONObject {
        JSONObject(["hash": .string(hash), "timestamp": .integer(timestamp), "authToken": .string(token)])
    }
}

/// `POST /VerifySignature`: what the site offered, and what the device made of it.
struct SignedDocument: Sendable {
    /// Nil when a field is missing, which is as good as an offer of another site.
    let offer: DocumentOffer?
    /// Nil when a field of it is missing or malformed, which is as good as none.
    let signature: SubmittedSignature?

    /// - Parameter fields: `documentData` and `verificationData`.
    /// - Throws: `Refusal` 400 unless both are JSON objects.
    init(_ fields: FormFields) throws(Refusal) {
        func object(_ name: String) throws(Refusal) -> JSONObject {
            guard let object = fields[name].flatMap({ JSONObject(body: Array($0.utf8)) }) else { throw .invalidData }
            return object
        }
        let signature = try object("verificationData")
        let offer = DocumentOffer(try object("documentData"))
        self.offer = offer
        // It says when it was signed only where the offer says so.
        self.signature = offer.flatMap { try? SubmittedSignature(signature, timestamp: $0.timestamp) }
    }
}

/// The site's verdict on a signed document; the raw values are those of the wire.
enum DocumentVerdict: String, Sendable {
    case valid = "ValidSignature", badPIN = "BadPin", userBlocked = "UserBlocked", missing = "MissingSignature"
    case invalid = "InvalidSignature"

    var json: JSONObject { JSONObject(["verified": .boolean(self == .valid), "status": .string(rawValue)]) }
}
