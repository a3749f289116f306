// SPDX-License-Identifier: Apache-2.0

/// A digest as people compare it.
enum DocumentDigestText {
    static func hexadecimal(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
