// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Reads the fields of one message in order; integers are little-endian.
struct ScannerMessageReader {
    private let body: SecretBytes
    private var position = 0

    init(_ body: SecretBytes) {
        self.body = body
    }

    mutating func byte() throws(ScannerMessageError) -> UInt8 {
        let start = try take(1)
        return body.withBytes { $0[start] }
    }

    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _: Value.Type
    ) throws(ScannerMessageError) -> Value {
        let width = Value.bitWidth / 8
        let start = try take(width)
        return body.withBytes { bytes in
            var value: Value = 0
            for offset in 0..<width { value |= Value(bytes[start + offset]) << (8 * offset) }
            return value
        }
    }

    mutating func bytes(_ count: Int) throws(ScannerMessageError) -> SecretBytes {
        let start = try take(count)
        return body.withBytes { SecretBytes(copying: $0.extracting(start..<start + count)) }
    }

    mutating func nanoseconds() throws(ScannerMessageError) -> Duration {
        guard let count = Int64(exactly: try integer(UInt64.self)) else { throw .invalidValue }
        return .nanoseconds(count)
    }

    /// Text that is safe for a log or screen: UTF-8 without control characters.
    mutating func printable(atMost limit: Int) throws(ScannerMessageError) -> String {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw .invalidValue }
        let start = try take(count)
        let bytes = body.withBytes { all in (start..<start + count).map { all[$0] } }
        guard let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.isPrintable })
        else { throw .invalidValue }
        return text
    }

    /// Checks that the message was read to its last byte.
    func end() throws(ScannerMessageError) {
        guard position == body.count else { throw .trailingBytes(body.count - position) }
    }

    private mutating func take(_ count: Int) throws(ScannerMessageError) -> Int {
        guard count <= body.count - position else { throw .cutOff }
        defer { position += count }
        return position
    }
}
