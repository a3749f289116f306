// SPDX-License-Identifier: Apache-2.0

extension Token {
    /// Signs the SHA-256 digest of a document (the 32 bytes, not their hexadecimal form).
    ///
    /// Throws `wrongLength` for another length, `identityWithoutPublicKey`, `randomnessUnavailable`, or
    /// `resultAtInfinity` when token and PIN cancel out. Whether the PIN is right shows at the server only.
    public func sign(
        documentHash: [UInt8], identity: MPinIdentity, pin: borrowing PinFactor, timestamp: Timestamp
    ) throws(MPinCryptoError) -> DocumentSignature {
        try DocumentSignature.check(documentHash: documentHash)
        guard identity.publicKey != nil else { throw .identityWithoutPublicKey }
        let attempt = try AuthenticationAttempt(identity: identity, token: self, pin: pin, permit: nil)
        return try .make(from: attempt, message: documentHash, timestamp: timestamp)
    }
}
