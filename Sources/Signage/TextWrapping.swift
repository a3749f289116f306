// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// How wide a terminal draws it.
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension String {
    /// Lines of at most `columns` columns, broken at spaces where that is possible.
    func wrapped(to columns: Int) -> [String] {
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
    /// Takes off what fits, and something in any case: on a terminal of one column a wide character is a blank.
    fileprivate mutating func removePrefix(columns: Int) -> String {
        var taken = ""
        while let first, taken.columns + first.columns <= columns { taken.append(removeFirst()) }
        if taken.isEmpty {
            removeFirst()
            taken = " "
        }
        return taken
    }
}
