// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 digest of a document: what signatures are made for.
public enum DocumentDigest {
    /// 32 bytes.
    public static let length = SHA256.length

    public static func bytes(of document: [UInt8]) -> [UInt8] { SHA256.digest(document) }
}
