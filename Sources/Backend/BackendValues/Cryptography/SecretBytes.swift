// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Synchronization

/// Secret bytes that are wiped with their last owner. They are lent, never copied out, and print as nothing.
package final class SecretBytes: Sendable, CustomStringConvertible {
    private let storage: Mutex<[UInt8]>

    package init(_ bytes: consuming sending [UInt8]) { storage = Mutex(bytes) }

    deinit { storage.withLock { wipe(&$0) } }

    package var description: String { "<redacted>" }

    package func withBytes<Result, Failure: Error>(
        _ body: (borrowing [UInt8]) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        try storage.withLock { bytes throws(Failure) in try body(bytes) }
    }
}

/// Overwrites `bytes` so that the compiler cannot leave the overwriting out.
package func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        // The buffer's own bounds are what is written.
        if let start = buffer.baseAddress { unsafe OPENSSL_cleanse(start, buffer.count) }
    }
}
