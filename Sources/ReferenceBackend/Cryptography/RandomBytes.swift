// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Bytes from libcrypto's generator.
enum RandomBytes {
    /// - Throws: `BackendError.randomnessUnavailable` when the generator cannot be seeded.
    static func make(_ count: Int) throws(BackendError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            // RAND_bytes writes exactly the count it is given.
            unsafe RAND_bytes(buffer.baseAddress, Int32(buffer.count))
        }
        guard result == 1 else { throw .randomnessUnavailable }
        return bytes
    }
}
