// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
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

extension JSONOutput {
    /// - Parameters:
    ///   - name: of one more member, the first.
    ///   - secret: its value: letters and digits. It does not become part of a `String`.
    static func write(_ document: some Encodable, secret name: String, _ secret: SecretBytes) throws {
        let rest = try text(of: document).dropFirst()
        SecretOutput.write("{\"\(name)\":\"")
        SecretOutput.write(secret)
        SecretOutput.write("\",\(String(decoding: rest, as: UTF8.self))\n")
    }
}
