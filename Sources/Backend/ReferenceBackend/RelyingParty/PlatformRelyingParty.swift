// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import MPinServer
import Sealing

/// The web site of a Trust project, for an application that wants a document signed. docs/protocol/miracl.md, section
/// 15.
struct PlatformRelyingParty: Sendable {
    let platform: Platform
    let credentials: RelyingPartyCredentials
    let clock: any WallClock

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
        let text: String
        do { text = try await platform.certify(signature).certificate } catch let refusal as PlatformRefusal {
            switch refusal.code {
            case .unsuccessfulAuthentication: return .badPIN
            case .revokedMPinID: return .userBlocked
            default: return .missing
            }
        } catch is Refusal {
            return .missing
        }
        let certificate: SignatureCertificate? = await WebTokenVerifier(keySet: platform.tokens.keySet)
            .payload(of: text, at: clock.now)
        return certificate?.covers(offer.hash, signedAt: offer.timestamp) == true ? .valid : .invalid
    }
}
