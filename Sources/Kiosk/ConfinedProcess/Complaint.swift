// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A line on standard error, for faults before or outside of the protocol.
public enum Complaint {
    /// - Parameter program: its name.
    public static func write(_ text: String, of program: String) {
        let line = Array("\(program): \(text)\n".utf8)
        // Safe: bytes and count belong together. A message that cannot be written is lost.
        _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
