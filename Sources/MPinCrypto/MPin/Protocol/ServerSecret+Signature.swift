// SPDX-License-Identifier: Apache-2.0

extension ServerSecret {
    /// Verifies a signature of the SHA-256 digest of a document: e(V, Pa) e(y A + U, SS) = 1 with Pa the public key
    /// of the identity.
    public func verify(
        signature: DocumentSignature, documentHash: [UInt8], identity: MPinIdentity
    ) -> VerificationResult {
        do throws(MPinCryptoError) {
            try DocumentSignature.check(documentHash: documentHash)
            guard identity.publicKey != nil else { throw .identityWithoutPublicKey }
            let challenge = try Challenge(time: signature.timestamp, commitment: signature.u, message: documentHash)
            return verify(
                identity: identity, commitment: signature.u, ut: nil, day: nil, challenge: challenge,
                response: signature.v)
        } catch {
            return .malformed(error)
        }
    }
}
