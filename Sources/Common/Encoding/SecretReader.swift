// SPDX-License-Identifier: Apache-2.0

/// Reads secret bytes from the first to the last: numbers, big endian, and parts that their length precedes. A read
/// gives nil when fewer bytes are left.
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

    /// - Parameter count: of the number's bytes, at most 8.
    package mutating func number(_ count: Int) -> UInt64? {
        bytes(count)?.withBytes { bytes in bytes.indices.reduce(0) { $0 << 8 | UInt64(bytes[$1]) } }
    }

    /// - Parameter count: of the length's bytes, at most 7.
    package mutating func part(_ count: Int) -> SecretBytes? { number(count).flatMap { bytes(Int($0)) } }

    package mutating func rest() -> SecretBytes? { bytes(source.count - position) }
}

extension SecretBytes {
    /// One piece of several.
    package convenience init(joining parts: [SecretBytes]) {
        self.init(count: parts.reduce(0) { $0 + $1.count }) { whole in
            var place = 0
            for part in parts {
                part.withBytes { part in for index in part.indices { whole[place + index] = part[index] } }
                place += part.count
            }
        }
    }

    /// A number, big endian, in some bytes.
    package convenience init(_ number: some FixedWidthInteger, count: Int) {
        self.init(count: count) { bytes in
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - index))) }
        }
    }

    /// The bytes after their number, which takes `count` bytes.
    package func afterLength(_ count: Int) -> [SecretBytes] { [SecretBytes(self.count, count: count), self] }

    /// The bytes read as UTF-8; nil for other bytes.
    package var decoded: String? {
        withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}
