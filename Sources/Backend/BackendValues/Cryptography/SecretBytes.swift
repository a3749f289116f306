// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Synchronization

/// Secret bytes that are wiped when the last reference goes. They are lent, never copied out, and print as nothing.
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

/// Overwrites `bytes` in a way that the compiler cannot optimise away.
package func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        // It writes within the buffer's own bounds.
        if let start = buffer.baseAddress { unsafe OPENSSL_cleanse(start, buffer.count) }
    }
}
