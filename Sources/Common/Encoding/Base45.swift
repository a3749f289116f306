// SPDX-License-Identifier: Apache-2.0

/// Bytes in the 45 characters that a QR code packs closest (RFC 9285; ISO/IEC 18004, alphanumeric mode): 8.25 bits of
/// the picture a byte, where Base64 takes 10.7.
package enum Base45 {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 3 + 1) / 2)
        for start in stride(from: 0, to: bytes.count, by: 2) {
            let isPair = start + 1 < bytes.count
            var value = isPair ? Int(bytes[start]) << 8 | Int(bytes[start + 1]) : Int(bytes[start])
            for _ in 0..<(isPair ? 3 : 2) {
                text.append(alphabet[value % 45])
                value /= 45
            }
        }
        return text
    }

    /// - Returns: nil for what ``encoded(_:)`` never writes.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 3 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 2 / 3 + 1)
        for start in stride(from: 0, to: text.count, by: 3) {
            let end = min(start + 3, text.count)
            var value = 0
            for index in stride(from: end - 1, through: start, by: -1) {
                guard let digit = values[Int(text[index])] else { return nil }
                value = value * 45 + Int(digit)
            }
            if end - start == 3 {
                guard value <= 0xFFFF else { return nil }
                bytes.append(UInt8(value >> 8))
            } else if value > 0xFF {
                return nil
            }
            bytes.append(UInt8(value & 0xFF))
        }
        return bytes
    }
}
