// SPDX-License-Identifier: Apache-2.0

/// A terminal that understands the output of the console screen, and lines, and records everything else as unknown.
/// It does not scroll.
public struct TerminalScreen: Sendable {
    public private(set) var rows: [[Character]]
    public private(set) var isAlternate = false
    public private(set) var isCursorVisible = true
    public private(set) var unknown: [String] = []
    private var row = 0
    private var column = 0
    private let columns: Int
    /// The beginning of a character or sequence that is incomplete.
    private var unread: [UInt8] = []

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The rows without trailing spaces, down to the last row with text.
    public var text: String {
        var lines = rows.map { row in
            var line = String(row)
            while line.last == " " { line.removeLast() }
            return line
        }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// Reads bytes as a terminal, cut anywhere.
    public mutating func feed(_ bytes: [UInt8]) {
        unread += bytes
        var end = unread.count
        if let escape = unread.lastIndex(of: 0x1B) {
            let sequence = unread[escape...].dropFirst()
            let isLong = sequence.first == UInt8(ascii: "[")
            if sequence.isEmpty || isLong && !sequence.dropFirst().contains(where: { (0x40...0x7E).contains($0) }) {
                end = escape
            }
        }
        // A character has at most four bytes.
        for cut in 0...min(3, end) {
            guard let text = String(validating: unread[..<(end - cut)], as: UTF8.self) else { continue }
            unread.removeFirst(end - cut)
            return feed(text)
        }
    }

    public mutating func feed(_ text: String) {
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch character {
            case "\u{1B}": break
            case "\r":
                column = 0
                continue
            // A line feed also returns to the first column.
            case "\n", "\r\n":
                (row, column) = (row + 1, 0)
                continue
            default:
                if row < rows.count, column < columns {
                    rows[row][column] = character
                    column += 1
                } else {
                    unknown.append("a character beyond the edge at row \(row + 1), column \(column + 1)")
                }
                continue
            }
            // Without a bracket the sequence is one character.
            let end =
                rest.first == "["
                ? rest.dropFirst().firstIndex { ("@"..."~").contains($0) } ?? rest.index(before: rest.endIndex)
                : rest.startIndex
            let sequence = String(rest[...end])
            rest = rest[rest.index(after: end)...]
            obey(sequence)
        }
    }

    private mutating func obey(_ sequence: String) {
        let parameters = sequence.dropFirst().dropLast()
        switch (sequence.last, parameters) {
        case ("H", _):
            let place = parameters.split(separator: ";").compactMap { Int($0) }
            (row, column) = place.count == 2 ? (place[0] - 1, place[1] - 1) : (0, 0)
        case ("K", ""):
            guard row < rows.count else { return }
            for index in column..<columns { rows[row][index] = " " }
        case ("J", "2"): rows = rows.map { $0.map { _ in " " } }
        case ("m", _): break
        case ("h", "?1049"): isAlternate = true
        case ("l", "?1049"): isAlternate = false
        case ("h", "?25"): isCursorVisible = true
        case ("l", "?25"): isCursorVisible = false
        // The keypad's requests: digits of a number pad, and bracketed paste.
        case (">", ""), ("h", "?2004"), ("l", "?2004"): break
        default: unknown.append(sequence)
        }
    }
}
