// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Tells the texts of QR codes apart without keeping them.
///
/// A 64-bit SipHash under a key that each process draws anew (the standard library's `Hasher`): enough to recognise the
/// few codes that are remembered at a time, and worthless outside the process.
public struct CodeDigest: Hashable, Sendable {
    private let value: Int

    public init(_ payload: SecretBytes) {
        var hasher = Hasher()
        payload.withBytes { bytes in
            for index in bytes.indices { hasher.combine(bytes[index]) }
        }
        value = hasher.finalize()
    }
}
