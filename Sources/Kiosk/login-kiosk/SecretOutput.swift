// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Encoding
import LoginValues

extension Output {
    /// Writes a secret without leaving it in a buffer or a `String`.
    static func write(_ secret: SecretBytes) throws {
        var bytes = secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        defer { wipe(&bytes) }
        try write(bytes)
    }
}

extension JSONOutput {
    /// - Parameters:
    ///   - name: the name of the added first member.
    ///   - secret: its value: letters and digits. It does not become part of a `String`.
    static func write(_ document: some Encodable, secret name: String, _ secret: SecretBytes) throws {
        let rest = try text(of: document).dropFirst()
        try Output.write("{\"\(name)\":\"")
        try Output.write(secret)
        try Output.write("\",\(String(decoding: rest, as: UTF8.self))\n")
    }
}
