// SPDX-License-Identifier: Apache-2.0

import Encoding

/// Reads the length-prefixed fields of a stored record, strictly in order.
struct RecordReader {
    private var reader: SecretReader

    init(_ record: SecretBytes) { reader = SecretReader(record) }

    /// The version, before all fields.
    mutating func version() throws(RecordError) -> UInt8 {
        guard let version = reader.number(1) else { throw .damaged }
        return UInt8(version)
    }

    mutating func field() throws(RecordError) -> SecretBytes {
        guard let field = reader.part(2) else { throw .damaged }
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
        guard reader.isAtEnd else { throw .damaged }
    }
}

/// The reason why a stored record cannot be used.
enum RecordError: Error, Equatable {
    case damaged
    case unknownVersion(UInt8)
    /// Made by a client with more dialects, states or PIN readings.
    case unknownName
}
