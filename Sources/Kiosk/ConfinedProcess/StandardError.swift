// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Standard error of a confined process, for faults outside of the protocol.
public enum StandardError {
    /// Writes `PROGRAM: text` as a line. A line that cannot be written is lost.
    public static func write(_ text: String, program: String) {
        let line = Array("\(program): \(text)\n".utf8)
        // Safe: bytes and count belong together.
        _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
