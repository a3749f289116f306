// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues

/// Standard output for what must not stay in a buffer or a `String` on its way.
enum SecretOutput {
    static func write(_ secret: SecretBytes) {
        secret.withBytes { bytes in
            // Safe: the bytes are lent for the call, which reads as many as there are.
            unsafe bytes.withUnsafeBytes { unsafe all($0) }
        }
    }

    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    private static func all(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            // Safe: the slice is of the lent bytes.
            let count = unsafe Foundation.write(
                STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            unsafe rest = rest.dropFirst(count)
        }
    }
}
