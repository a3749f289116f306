// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// JSON on one line, its keys in the order of the alphabet, so that two of the same are the same.
enum RecordEncoder {
    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}
