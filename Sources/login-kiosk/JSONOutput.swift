// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Machine-readable output: one JSON object and a newline on standard output, keys sorted.
enum JSONOutput {
    static func write(_ document: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        FileHandle.standardOutput.write(try encoder.encode(document) + Data("\n".utf8))
    }
}
