// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import LoginValues

/// Standard output for what must not stay in a buffer or a `String` on its way.
enum SecretOutput {
    static func write(_ secret: SecretBytes) {
        secret.withBytes { bytes in
            // Safe: the bytes are lent for the call.
            unsafe bytes.withUnsafeBytes { _ = unsafe StandardStream.output.write($0) }
        }
    }

    static func write(_ text: String) { StandardStream.output.write(text) }
}
