// SPDX-License-Identifier: Apache-2.0

/// The text of a symbol: its segments, one behind the other (ISO/IEC 18004, 7.4).
///
/// Bytes are taken as they stand in the symbol; the character set of an ECI is ignored. Kanji become two bytes of
/// Shift JIS each.
struct DataSegments: ~Copyable {
    private static let alphanumeric = [UInt8]("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// Indicators of four bits (table 2).
    private enum Mode: Int {
        case terminator = 0
        case numeric = 1
        case alphanumeric = 2
        case structuredAppend = 3
        case bytes = 4
        case firstPosition = 5
        case characterSet = 7
        case kanji = 8
        case secondPosition = 9

        /// Bits of the number of characters, in versions up to 9, up to 26 and up to 40 (table 3).
        var countBits: (Int, Int, Int) {
            switch self {
            case .numeric: (10, 12, 14)
            case .alphanumeric: (9, 11, 13)
            case .bytes: (8, 16, 16)
            case .kanji: (8, 10, 12)
            default: (0, 0, 0)
            }
        }

        func countBits(in version: SymbolVersion) -> Int {
            version.number < 10 ? countBits.0 : version.number < 27 ? countBits.1 : countBits.2
        }
    }

    /// The room for text: more than the 7,089 digits of the largest symbol.
    private static let most = 7200
    /// Number of the symbol, number of symbols, and parity of the whole text.
    private static let structuredAppendBits = 16
    /// An application's indicator, which follows the mode of that name.
    private static let applicationBits = 8
    /// The control character GS.
    private static let separator: UInt8 = 0x1D

    private(set) var text = [UInt8](repeating: 0, count: most)
    private(set) var count = 0
    /// Whether the symbol is one of several that belong together. Its own text is then incomplete.
    private(set) var isPart = false

    private var position = 0
    private var end = 0

    /// - Returns: whether the data is a sequence of whole segments.
    mutating func read(_ words: borrowing CodeWords, version: SymbolVersion) -> Bool {
        (position, end, count, isPart) = (0, 8 * words.count, 0, false)
        var separatesFields = false
        while end - position >= 4 {
            guard let mode = Mode(rawValue: bits(4, words)) else { return false }
            let width = mode.countBits(in: version)
            switch mode {
            case .terminator: return count > 0
            case .numeric: guard readNumeric(words, width) else { return false }
            case .alphanumeric: guard readAlphanumeric(words, width, separatesFields) else { return false }
            case .bytes: guard readBytes(words, width) else { return false }
            case .kanji: guard readKanji(words, width) else { return false }
            case .characterSet: guard skipDesignator(words) else { return false }
            case .structuredAppend:
                guard skip(DataSegments.structuredAppendBits) else { return false }
                isPart = true
            case .firstPosition: separatesFields = true
            case .secondPosition:
                guard skip(DataSegments.applicationBits) else { return false }
                separatesFields = true
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

    private mutating func skip(_ length: Int) -> Bool {
        guard end - position >= length else { return false }
        position += length
        return true
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
            if digits == 3 { append(DataSegments.alphanumeric[value / 100]) }
            if digits >= 2 { append(DataSegments.alphanumeric[value / 10 % 10]) }
            append(DataSegments.alphanumeric[value % 10])
            left -= digits
        }
        return true
    }

    private mutating func readAlphanumeric(
        _ words: borrowing CodeWords, _ width: Int, _ separatesFields: Bool
    ) -> Bool {
        guard var left = length(width, words), end - position >= left / 2 * 11 + left % 2 * 6 else { return false }
        let start = count
        let characters = DataSegments.alphanumeric
        while left > 0 {
            let isPair = left > 1
            let value = bits(isPair ? 11 : 6, words)
            guard value < (isPair ? characters.count * characters.count : characters.count) else { return false }
            if isPair { append(characters[value / characters.count]) }
            append(characters[value % characters.count])
            left -= isPair ? 2 : 1
        }
        if separatesFields { replaceSeparators(from: start) }
        return true
    }

    /// In such a text `%` stands for a separator, and `%%` for itself (7.4.8).
    private mutating func replaceSeparators(from start: Int) {
        let percent = UInt8(ascii: "%")
        var (from, to) = (start, start)
        while from < count {
            let isPercent = text[from] == percent
            let isDouble = isPercent && from + 1 < count && text[from + 1] == percent
            text[to] = isPercent && !isDouble ? DataSegments.separator : text[from]
            from += isDouble ? 2 : 1
            to += 1
        }
        count = to
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
        return more >= 0 && skip(8 * more)
    }
}
