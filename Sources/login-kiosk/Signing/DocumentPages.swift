// SPDX-License-Identifier: Apache-2.0

/// A document as a person is shown it who is going to sign it: every byte of it is on a page, and nothing else is.
///
/// Each row has a margin: the number of its line, or none where a long line goes on. What would move the cursor, hide
/// something or turn the reading direction around stands there by its number.
struct DocumentPages {
    private static let marginWidth = 7
    /// Rows that the page's own words take.
    private static let footerHeight = 3

    /// The rows of each page; at least one page.
    let pages: [[String]]

    /// - Parameters:
    ///   - document: UTF-8.
    ///   - columns: of the terminal; a narrow one counts as 20 wide.
    ///   - rows: of the terminal; a low one counts as 6 high.
    init(_ document: String, columns: Int, rows: Int) {
        let width = max(columns, 20) - DocumentPages.marginWidth - 1
        let height = max(rows, 6) - DocumentPages.footerHeight
        var all: [String] = []
        let lines = document.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let number = String(index + 1)
            var margin = String(repeating: " ", count: max(0, DocumentPages.marginWidth - 2 - number.count)) + number
            for row in DocumentPages.rows(of: line, width) {
                all.append("\(margin)  \(row)")
                margin = String(repeating: " ", count: DocumentPages.marginWidth - 2)
            }
        }
        pages = stride(from: 0, to: all.count, by: height).map { Array(all[$0..<min($0 + height, all.count)]) }
    }

    /// One line of the document, cut to the width. At least one row.
    private static func rows(of line: Substring.UnicodeScalarView, _ width: Int) -> [String] {
        var rows: [String] = []
        var row = ""
        var used = 0
        for scalar in line {
            let text = shown(scalar)
            // How wide a character is that is not ASCII is the terminal's decision, and two columns at most.
            let needed = scalar.isASCII ? text.count : max(2, text.count)
            if used + needed > width {
                rows.append(row)
                (row, used) = ("", 0)
            }
            row += text
            used += needed
        }
        return rows + [row]
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            number(of: scalar)
        case .spaceSeparator where scalar != " ": number(of: scalar)
        case .nonspacingMark, .enclosingMark:
            // It may stand on another one, and a pile of them covers its neighbours.
            number(of: scalar)
        default: String(scalar)
        }
    }

    private static func number(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "<U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)>"
    }
}
