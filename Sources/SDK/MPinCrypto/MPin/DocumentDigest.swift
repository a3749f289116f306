// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The SHA-256 digest of a document: what signatures are made for.
public enum DocumentDigest {
    /// 32 bytes.
    public static let length = Digest.length

    /// Computes the digest, ``length`` bytes.
    public static func bytes(of document: [UInt8]) -> [UInt8] { Digest.sha256(document) }
}

extension Digest {
    /// SHA-256(be32(number) || bytes), the form that dates and timestamps are hashed in.
    static func sha256(prefix number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        sha256(stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) } + bytes)
    }
}
