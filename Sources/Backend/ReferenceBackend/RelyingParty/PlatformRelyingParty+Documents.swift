// SPDX-License-Identifier: Apache-2.0

/// The requests of an application to the site that wants a document signed. docs/protocol/miracl.md, section 15.
extension PlatformRelyingParty {
    /// `POST /CreateDocumentHash`.
    func offer(_ document: String) -> DocumentOffer {
        let hash = Hexadecimal.text(Digest.sha256(Array(document.utf8)))
        return DocumentOffer(hash: hash, timestamp: clock.now.seconds, token: credentials.token(for: hash))
    }

    /// `POST /VerifySignature`.
    func verdict(on document: SignedDocument) async throws -> DocumentVerdict {
        guard let offer = document.offer, let signature = document.signature,
            Hexadecimal.text(signature.documentHash) == offer.hash,
            // Accept only offers of this site.
            credentials.isToken(offer.token, for: offer.hash)
        else { return .missing }
        let text: String?
        do { text = try await platform.certificate(for: signature) } catch let refusal as Refusal {
            switch refusal.code {
            case 401: return .badPIN
            case 410: return .userBlocked
            default: return .missing
            }
        }
        guard let text else { return .missing }
        let certificate: SignatureCertificate? = await WebTokenVerifier(keySet: try await platform.keySet)
            .payload(of: text, at: clock.now)
        return certificate?.covers(offer.hash, signedAt: offer.timestamp) == true ? .valid : .invalid
    }
}
