// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// SHA-256 of public bytes.
enum SHA256 {
    static let length = 32

    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: length)
        // SAFETY: both buffers live through the call; the output has the 32 bytes that the function writes.
        let written = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                unsafe COpenSSL.SHA256(input.baseAddress, input.count, output.baseAddress) != nil
            }
        }
        precondition(written, "libcrypto offers no SHA-256")
        return digest
    }

    /// SHA-256(be32(number) || bytes), the form in which dates and timestamps are hashed.
    static func digest(prefix number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        digest(stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) } + bytes)
    }
}

/// The SHA-256 digest of a document, which is signed in its place.
public enum DocumentDigest {
    /// 32 bytes.
    public static let length = SHA256.length

    public static func bytes(of document: [UInt8]) -> [UInt8] { SHA256.digest(document) }
}
