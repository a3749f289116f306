// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Lines of at most `columns` characters, broken at spaces where that is possible. A character is taken to be one
    /// column wide.
    func wrapped(to columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            var word = word
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            while word.count > columns {
                lines.append(String(word.prefix(columns)))
                word = word.dropFirst(columns)
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }
}
