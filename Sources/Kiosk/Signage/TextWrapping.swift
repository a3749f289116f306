// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// The width on a terminal.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension String {
    /// Lines of at most `columns` columns, broken at spaces if possible. A longer word, such as an address, is broken
    /// after a sign of addresses (`@ . : /`), and elsewhere only if its parts are still too long.
    public func wrapped(to columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            var word = word
            if !line.isEmpty, line.columns + 1 + word.columns > columns {
                lines.append(line)
                line = ""
            }
            while word.columns > columns {
                lines.append(word.removePrefix(columns: columns))
            }
            if !word.isEmpty { line += line.isEmpty ? String(word) : " \(word)" }
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }
}

extension Substring {
    /// Removes the part that fits, and always at least one character: on a terminal of one column a wide character
    /// becomes a blank.
    fileprivate mutating func removePrefix(columns: Int) -> String {
        var taken = ""
        var rest = self
        while let first = rest.first, taken.columns + first.columns <= columns { taken.append(rest.removeFirst()) }
        if let sign = taken.lastIndex(where: { "@.:/".contains($0) }) { taken = String(taken[...sign]) }
        removeFirst(taken.count)
        if taken.isEmpty {
            removeFirst()
            taken = " "
        }
        return taken
    }
}

extension Character {
    /// The number of columns on a terminal: two for the wide characters of East Asia and for pictures, else one.
    /// (Unicode Standard Annex 11, by blocks.)
    var columns: Int {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
        return Character.wideBlocks.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}
