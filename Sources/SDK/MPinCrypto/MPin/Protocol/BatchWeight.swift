// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A random factor for one equation of a batch, so that errors in different equations cannot cancel out. There are
/// 2^128 of them: a + b lambda for all a and b below 2^64, where the endomorphism of G1 multiplies by lambda. Such a
/// multiple costs half as many steps.
struct BatchWeight {
    private let a, b: UInt64

    /// Throws `randomnessUnavailable`.
    static func random(_ count: Int) throws(MPinCryptoError) -> [BatchWeight] {
        var words = [UInt64](repeating: 0, count: 2 * count)
        // SAFETY: the buffer is the whole array.
        let isFilled = unsafe words.withUnsafeMutableBytes { buffer in
            unsafe RAND_bytes(buffer.baseAddress, Int32(buffer.count)) == 1
        }
        guard isFilled else { throw .randomnessUnavailable }
        return (0..<count).map { BatchWeight(words[2 * $0], words[2 * $0 + 1]) }
    }

    init(_ a: UInt64, _ b: UInt64) {
        self.a = a
        self.b = b
    }

    var halves: SplitScalar { SplitScalar(first: wide(a), second: wide(b)) }

    var scalar: Fr { Fr(reducing: Limbs(a, 0, 0, 0)) + Fr(reducing: Limbs(b, 0, 0, 0)) * G1.lambda }
}
