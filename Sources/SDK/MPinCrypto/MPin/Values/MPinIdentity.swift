// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The identity that secrets are bound to: an mpin_id, followed by the public key where the identity has one.
public struct MPinIdentity: Hashable, Sendable {
    /// The identity as the server issued it.
    public let mpinID: MPinID
    /// The designated-verifier key; nil for identities of the classic protocol.
    public let publicKey: DVSPublicKey?

    /// - Parameter publicKey: nil for an identity of the classic protocol.
    public init(_ mpinID: MPinID, publicKey: DVSPublicKey? = nil) {
        self.mpinID = mpinID
        self.publicKey = publicKey
    }

    /// SHA-256(mpin_id) or SHA-256(mpin_id || public key), which is sent to the issuers of secrets.
    public var hashed: HashedIdentity {
        HashedIdentity(digest: Digest.sha256(mpinID.bytes + (publicKey?.bytes ?? [])))
    }
}

/// An identity as the server issued it. The bytes are opaque and are hashed exactly as received.
public struct MPinID: Hashable, Sendable {
    /// The bytes as received.
    public let bytes: [UInt8]

    /// Takes the bytes as received.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Hashes all bytes in one step. An array hashes them one by one, and a server looks identities up many times a
    /// login.
    public func hash(into hasher: inout Hasher) {
        // SAFETY: the buffer is lent for the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
