// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LinuxSystem
import LoginValues

/// Machine-readable output: one JSON object and a newline on standard output, keys sorted.
enum JSONOutput {
    /// - Throws: also when nobody reads.
    static func write(_ document: some Encodable) throws {
        try Output.write(String(decoding: try text(of: document), as: UTF8.self) + "\n")
    }

    /// - Parameters:
    ///   - name: of one more member, the first.
    ///   - secret: its value: letters and digits. It does not become part of a `String`.
    static func write(_ document: some Encodable, secret name: String, _ secret: SecretBytes) throws {
        let rest = try text(of: document).dropFirst()
        SecretOutput.write("{\"\(name)\":\"")
        SecretOutput.write(secret)
        SecretOutput.write("\",\(String(decoding: rest, as: UTF8.self))\n")
    }

    private static func text(of document: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document)
    }
}
