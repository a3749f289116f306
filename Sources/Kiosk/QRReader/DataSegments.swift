// SPDX-License-Identifier: Apache-2.0

/// The text of a symbol: its segments, one behind the other (ISO/IEC 18004, 7.4).
///
/// Bytes are taken as they stand in the symbol, whatever character set an ECI announces. Kanji become two bytes of
/// Shift JIS each.
struct DataSegments: ~Copyable {
    private static let alphanumeric = [UInt8]("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    private(set) var text = [UInt8](repeating: 0, count: 7200)
    private(set) var count = 0
    /// Whether the symbol is one of several that belong together: then its text is nothing by itself.
    private(set) var isPart = false

    private var position = 0
    private var end = 0

    /// - Returns: whether the data is a sequence of whole segments.
    mutating func read(_ words: borrowing CodeWords, version: SymbolVersion) -> Bool {
        (position, end, count, isPart) = (0, 8 * words.count, 0, false)
        let size = version.number < 10 ? 0 : version.number < 27 ? 1 : 2
        var separatesFields = false
        while end - position >= 4 {
            switch bits(4, words) {
            case 0: return count > 0
            case 1: guard readNumeric(words, [10, 12, 14][size]) else { return false }
            case 2: guard readAlphanumeric(words, [9, 11, 13][size], separatesFields) else { return false }
            case 4: guard readBytes(words, size == 0 ? 8 : 16) else { return false }
            case 8: guard readKanji(words, [8, 10, 12][size]) else { return false }
            case 3:
                guard end - position >= 16 else { return false }
                isPart = true
                position += 16
            case 5: separatesFields = true
            case 7: guard skipDesignator(words) else { return false }
            case 9:
                // The application's indicator follows.
                guard end - position >= 8 else { return false }
                separatesFields = true
                position += 8
            default: return false
            }
        }
        return count > 0
    }

    /// Forgets what was read.
    mutating func wipe() {
        for index in 0..<text.count { text[index] = 0 }
        count = 0
    }

    private mutating func bits(_ length: Int, _ words: borrowing CodeWords) -> Int {
        var value = 0
        for _ in 0..<length {
            value = value << 1 | Int(words.data[position / 8] >> UInt8(7 - position % 8)) & 1
            position += 1
        }
        return value
    }

    private mutating func append(_ byte: UInt8) {
        text[count] = byte
        count += 1
    }

    private mutating func length(_ width: Int, _ words: borrowing CodeWords) -> Int? {
        end - position >= width ? bits(width, words) : nil
    }

    private mutating func readNumeric(_ words: borrowing CodeWords, _ width: Int) -> Bool {
        guard var left = length(width, words),
            end - position >= left / 3 * 10 + [0, 4, 7][left % 3]
        else { return false }
        while left > 0 {
            let digits = min(left, 3)
            let value = bits([4, 7, 10][digits - 1], words)
            guard value < [10, 100, 1000][digits - 1] else { return false }
            if digits == 3 { append(48 + UInt8(value / 100)) }
            if digits >= 2 { append(48 + UInt8(value / 10 % 10)) }
            append(48 + UInt8(value % 10))
            left -= digits
        }
        return true
    }

    /// - Parameter separatesFields: whether `%` stands for a separator, and `%%` for itself (7.4.8).
    private mutating func readAlphanumeric(
        _ words: borrowing CodeWords, _ width: Int, _ separatesFields: Bool
    ) -> Bool {
        guard var left = length(width, words), end - position >= left / 2 * 11 + left % 2 * 6 else { return false }
        let start = count
        while left > 0 {
            let isPair = left > 1
            let value = bits(isPair ? 11 : 6, words)
            guard value < (isPair ? 45 * 45 : 45) else { return false }
            if isPair { append(DataSegments.alphanumeric[value / 45]) }
            append(DataSegments.alphanumeric[value % 45])
            left -= isPair ? 2 : 1
        }
        guard separatesFields else { return true }
        var (from, to) = (start, start)
        while from < count {
            let isPercent = text[from] == 0x25
            let isDouble = isPercent && from + 1 < count && text[from + 1] == 0x25
            text[to] = isPercent && !isDouble ? 0x1D : text[from]
            from += isDouble ? 2 : 1
            to += 1
        }
        count = to
        return true
    }

    private mutating func readBytes(_ words: borrowing CodeWords, _ width: Int) -> Bool {
        guard let left = length(width, words), end - position >= 8 * left else { return false }
        for _ in 0..<left { append(UInt8(bits(8, words))) }
        return true
    }

    private mutating func readKanji(_ words: borrowing CodeWords, _ width: Int) -> Bool {
        guard let left = length(width, words), end - position >= 13 * left else { return false }
        for _ in 0..<left {
            let value = bits(13, words)
            let packed = (value / 0xC0) << 8 | value % 0xC0
            let character = packed + (packed < 0x1F00 ? 0x8140 : 0xC140)
            append(UInt8(character >> 8 & 0xFF))
            append(UInt8(character & 0xFF))
        }
        return true
    }

    /// An ECI designator has one to three bytes (table 4).
    private mutating func skipDesignator(_ words: borrowing CodeWords) -> Bool {
        guard end - position >= 8 else { return false }
        let first = bits(8, words)
        let more = first & 0x80 == 0 ? 0 : first & 0xC0 == 0x80 ? 1 : first & 0xE0 == 0xC0 ? 2 : -1
        guard more >= 0, end - position >= 8 * more else { return false }
        position += 8 * more
        return true
    }
}
