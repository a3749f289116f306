// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Reads the length-prefixed fields of a stored record, strictly in order.
struct RecordReader {
    private let record: SecretBytes
    private var position: Int

    /// - Parameter position: of the first field.
    init(_ record: SecretBytes, from position: Int) {
        self.record = record
        self.position = position
    }

    mutating func field() throws(RecordError) -> SecretBytes {
        let start = position
        let (field, end) = try record.withBytes { bytes throws(RecordError) in
            guard start + 2 <= bytes.count else { throw .damaged }
            let count = Int(bytes[start]) << 8 | Int(bytes[start + 1])
            let end = start + 2 + count
            guard end <= bytes.count else { throw .damaged }
            return (SecretBytes(copying: bytes.extracting((start + 2)..<end)), end)
        }
        position = end
        return field
    }

    mutating func bytes() throws(RecordError) -> [UInt8] {
        try field().withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    mutating func text() throws(RecordError) -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw .damaged }
        return text
    }

    /// - Returns: nil for an empty field.
    mutating func integer<Number: FixedWidthInteger>(_: Number.Type) throws(RecordError) -> Number? {
        let bytes = try bytes()
        guard !bytes.isEmpty else { return nil }
        guard bytes.count == Number.bitWidth / 8 else { throw .damaged }
        return bytes.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    func end() throws(RecordError) {
        guard position == record.count else { throw .damaged }
    }
}

/// The reason why a stored record cannot be used.
enum RecordError: Error, Equatable {
    case damaged
    case unknownVersion(UInt8)
    /// Made by a client with more dialects, states or PIN readings.
    case unknownName
}
