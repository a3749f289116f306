// SPDX-License-Identifier: Apache-2.0

import Sealing

/// A designated-verifier signature of a document: only the holder of the server secret can verify it, and the public
/// key in the identity keeps that holder from forging one.
public struct DocumentSignature: Hashable, Sendable {
    /// U, 65 bytes.
    public let u: [UInt8]
    /// V, 65 bytes.
    public let v: [UInt8]
    /// The time of signing, which is part of what is signed.
    public let timestamp: Timestamp

    /// Takes a signature as received. ``ServerSecret/verify(signature:documentHash:identity:)`` checks it.
    ///
    /// - Parameters:
    ///   - u: a point of G1, 65 bytes: 04, x, y, big-endian.
    ///   - v: a point of G1, 65 bytes.
    ///   - timestamp: the time of signing.
    public init(u: [UInt8], v: [UInt8], timestamp: Timestamp) {
        self.u = u
        self.v = v
        self.timestamp = timestamp
    }

    /// Answers the challenge that follows from the attempt and the message.
    package static func make(
        from attempt: consuming AuthenticationAttempt, message: [UInt8], timestamp: Timestamp
    ) throws(MPinCryptoError) -> DocumentSignature {
        let u = attempt.commitment.u
        let challenge = try Challenge(time: timestamp, commitment: u, message: message)
        return DocumentSignature(u: u, v: try attempt.respond(to: challenge), timestamp: timestamp)
    }

    /// Throws `wrongLength` unless there are 32 bytes: some implementations leave everything after the 256th byte of a
    /// longer message unsigned.
    static func check(documentHash: [UInt8]) throws(MPinCryptoError) {
        guard documentHash.count == Digest.length else {
            throw .wrongLength(of: .documentHash, expected: Digest.length, actual: documentHash.count)
        }
    }
}
