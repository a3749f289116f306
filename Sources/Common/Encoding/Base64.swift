// SPDX-License-Identifier: Apache-2.0

/// Base64 without line ends (RFC 4648): with padding (section 4), and the URL-safe form without (section 5).
///
/// No table is read and no branch is taken by a character's value.
package enum Base64 {
    private static let padding = UInt8(ascii: "=")

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var characters = characters(bytes, last: (UInt8(ascii: "+"), UInt8(ascii: "/")))
        while !characters.count.isMultiple(of: 4) { characters.append(padding) }
        return String(decoding: characters, as: UTF8.self)
    }

    package static func urlText(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: characters(bytes, last: (UInt8(ascii: "-"), UInt8(ascii: "_"))), as: UTF8.self)
    }

    /// - Returns: nil for what no encoder writes: another alphabet, missing padding, or bits behind the last byte
    ///   (section 3.5), so that the same bytes have one spelling.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        let padded = characters.suffix(2).reversed().prefix { $0 == padding }.count
        return bytes(characters.dropLast(padded), last: (UInt8(ascii: "+"), UInt8(ascii: "/")))
    }

    /// - Returns: nil for what no encoder writes, as ``bytes(_:)``.
    package static func bytes(urlText: some StringProtocol) -> [UInt8]? {
        bytes(Array(urlText.utf8)[...], last: (UInt8(ascii: "-"), UInt8(ascii: "_")))
    }

    private static func characters(_ bytes: some Sequence<UInt8>, last: (UInt8, UInt8)) -> [UInt8] {
        var characters: [UInt8] = []
        characters.reserveCapacity((bytes.underestimatedCount + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                characters.append(character(bits >> count & 63, last))
            }
        }
        if count > 0 { characters.append(character(bits << (6 - count) & 63, last)) }
        return characters
    }

    private static func bytes(_ characters: ArraySlice<UInt8>, last: (UInt8, UInt8)) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for character in characters {
            guard let value = value(of: character, last) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        // A character alone is not a byte.
        return count < 6 && bits & ((1 << count) - 1) == 0 ? bytes : nil
    }

    private static func character(_ value: UInt32, _ last: (UInt8, UInt8)) -> UInt8 {
        let value = Int32(truncatingIfNeeded: value)
        let capital = ByteRange.mask(value, 0, 25) & (value + 0x41)
        let small = ByteRange.mask(value, 26, 51) & (value + 0x47)
        let decimal = ByteRange.mask(value, 52, 61) & (value - 4)
        let others = ByteRange.mask(value, 62, 62) & Int32(last.0) | ByteRange.mask(value, 63, 63) & Int32(last.1)
        return UInt8(truncatingIfNeeded: capital | small | decimal | others)
    }

    private static func value(of character: UInt8, _ last: (UInt8, UInt8)) -> UInt32? {
        let character = Int32(character)
        let capital = ByteRange.mask(character, 0x41, 0x5A)
        let small = ByteRange.mask(character, 0x61, 0x7A)
        let decimal = ByteRange.mask(character, 0x30, 0x39)
        let (plus, slash) = (
            ByteRange.mask(character, Int32(last.0), Int32(last.0)),
            ByteRange.mask(character, Int32(last.1), Int32(last.1))
        )
        guard capital | small | decimal | plus | slash != 0 else { return nil }
        return UInt32(
            truncatingIfNeeded: capital & (character - 0x41) | small & (character - 0x47) | decimal & (character + 4)
                | plus & 62 | slash & 63)
    }
}
