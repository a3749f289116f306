// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Compares a code's bytes with a text. A QR code seldom names its character set, and the texts of a data set are
/// what people read.
enum TextReading {
    /// The character sets that are tried after UTF-8. Without a declaration, ISO/IEC 18004 has kanji (Shift JIS) and
    /// bytes (ISO 8859-1). Chinese encoders use their own sets.
    private static let foreignSets = ["SHIFT_JIS", "CP932", "ISO-8859-1", "GB18030"]

    static func matches(_ payload: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        if payload == wanted { return true }
        guard wanted.contains(where: { $0 >= 0x80 }) else { return false }
        return foreignSets.contains { converted(payload, from: $0) == wanted }
    }

    /// The bytes without white space at the end.
    static func trimmed(_ payload: [UInt8]) -> [UInt8] {
        let spaces: [UInt8] = [9, 10, 13, 32]
        return Array(payload.reversed().drop { spaces.contains($0) }.reversed())
    }

    private static func converted(_ payload: [UInt8], from set: String) -> [UInt8]? {
        // Safe: the texts are lent for the call, and the handle is owned until the end of this function.
        guard let converter = unsafe iconv_open("UTF-8", set), Int(bitPattern: converter) != -1 else { return nil }
        defer { unsafe iconv_close(converter) }
        var source = payload.map { CChar(bitPattern: $0) }
        // No character of these sets becomes longer.
        var target = [CChar](repeating: 0, count: 4 * payload.count + 4)
        var (sourceLeft, targetLeft) = (source.count, target.count)
        // Safe: both counts are those of the buffers, and the call stays within them.
        let status = unsafe source.withUnsafeMutableBufferPointer { source in
            unsafe target.withUnsafeMutableBufferPointer { target in
                var (from, to) = (source.baseAddress, target.baseAddress)
                return unsafe iconv(converter, &from, &sourceLeft, &to, &targetLeft)
            }
        }
        guard status != Int.max, sourceLeft == 0 else { return nil }
        return target.dropLast(targetLeft).map { UInt8(bitPattern: $0) }
    }
}
