// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension SecretBytes {
    /// Lends the bytes without white space at both ends.
    func withTrimmedBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes { bytes throws(Failure) in
            var range = bytes.indices
            while let first = range.first, SecretBytes.isWhitespace(bytes[first]) { range.removeFirst() }
            while let last = range.last, SecretBytes.isWhitespace(bytes[last]) { range.removeLast() }
            return try body(bytes.extracting(range))
        }
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
