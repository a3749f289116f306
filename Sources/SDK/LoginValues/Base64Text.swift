// SPDX-License-Identifier: Apache-2.0

/// Base 64 with padding and without line ends (RFC 4648, section 4).
package enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        func append(_ sextets: Int) {
            for index in 0..<sextets { characters.append(alphabet[Int(bits >> UInt32(18 - index * 6)) & 63]) }
        }
        for byte in bytes {
            bits |= UInt32(byte) << UInt32(16 - count * 8)
            count += 1
            guard count == 3 else { continue }
            append(4)
            (bits, count) = (0, 0)
        }
        if count > 0 {
            append(count + 1)
            characters += [UInt8](repeating: UInt8(ascii: "="), count: 3 - count)
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// - Returns: nil for text that no encoder writes: another alphabet, missing padding, or non-zero bits behind the
    ///   last byte (section 3.5). So the same bytes have one spelling.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard text.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for character in text.dropLast(padding) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bits & ((1 << count) - 1) == 0 ? bytes : nil
    }
}
