// SPDX-License-Identifier: Apache-2.0

/// Reads numbers, big endian, and parts with a length before them. A read returns nil when too few bytes are left.
package struct SecretReader {
    private let source: SecretBytes
    private var position = 0

    package init(_ source: SecretBytes) { self.source = source }

    package var isAtEnd: Bool { position == source.count }

    package mutating func bytes(_ count: Int) -> SecretBytes? {
        guard count <= source.count - position else { return nil }
        let range = position..<position + count
        position += count
        return source.withBytes { SecretBytes(copying: $0.extracting(range)) }
    }

    /// - Parameter count: the number of bytes, at most 8.
    package mutating func number(_ count: Int) -> UInt64? {
        bytes(count)?.withBytes { bytes in bytes.indices.reduce(0) { $0 << 8 | UInt64(bytes[$1]) } }
    }

    /// - Parameter count: the number of bytes of the length, at most 7.
    package mutating func part(_ count: Int) -> SecretBytes? { number(count).flatMap { bytes(Int($0)) } }

    package mutating func rest() -> SecretBytes? { bytes(source.count - position) }
}

extension SecretBytes {
    /// Joins several pieces.
    package convenience init(joining parts: [SecretBytes]) {
        self.init(count: parts.reduce(0) { $0 + $1.count }) { whole in
            var place = 0
            for part in parts {
                part.withBytes { part in for index in part.indices { whole[place + index] = part[index] } }
                place += part.count
            }
        }
    }

    /// Writes a number, big endian, in `count` bytes.
    package convenience init(_ number: some FixedWidthInteger, count: Int) {
        self.init(count: count) { bytes in
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - index))) }
        }
    }

    /// Returns the length, in `count` bytes, and the bytes.
    package func withLength(in count: Int) -> [SecretBytes] { [SecretBytes(self.count, count: count), self] }

    /// The bytes as UTF-8, nil for other bytes. For parts that are not secret: nothing wipes the text.
    package var text: String? {
        withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}

extension FixedWidthInteger {
    /// The bytes of a number that is not secret, big endian.
    package var bigEndianBytes: [UInt8] {
        stride(from: bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
