// SPDX-License-Identifier: Apache-2.0

import COpenSSL

extension Wiped<Fr> {
    /// A scalar drawn uniformly from 1 ..< r.
    static func random() throws(MPinCryptoError) -> Wiped {
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        defer { cleanse(&bytes) }
        while true {
            // SAFETY: the buffer is exactly the 32 bytes of the array.
            let filled = unsafe withUnsafeMutableBytes(of: &bytes) { buffer in
                unsafe RAND_priv_bytes(buffer.baseAddress, Int32(buffer.count)) == 1
            }
            guard filled else { throw .randomnessUnavailable }
            // r has 254 bits. More than half of the numbers of that length are below it; greater ones are drawn again.
            bytes[0] &= 0x3f
            if let scalar = Fr(canonical: Limbs(bigEndian: bytes.span)), !scalar.isZero { return Wiped(scalar) }
        }
    }
}
