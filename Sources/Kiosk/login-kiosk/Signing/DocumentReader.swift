// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keypads
import KioskMachine
import KioskPorts
import Signage

/// Shows a document on the terminal, page by page, until the person has reached its end and agrees to sign.
enum DocumentReader {
    /// The time for the whole document: a person who went away has not read it.
    private static let patience = Duration.seconds(1800)
    /// The number of a line and the space after it.
    private static let marginWidth = 7
    /// Rows of the page's own words.
    private static let footerHeight = 3

    /// - Parameter ending: the text below the last page.
    /// - Returns: whether the person has seen everything and agrees to sign.
    static func show(_ document: DocumentText, ending: String) async -> Bool {
        let pages = numberedPages(of: document)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await leaf(through: pages, ending) }
            group.addTask {
                try? await Task.sleep(for: patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// The rows of each page. A row that begins a line of the document is preceded by the line's number.
    private static func numberedPages(of document: DocumentText) -> [[String]] {
        let terminal = ConsoleScreen.size(of: STDERR_FILENO)
        let size = DocumentPageSize(columns: terminal.columns - marginWidth - 1, rows: terminal.rows - footerHeight)
        let pages = DocumentPages(document, size: size)
        var number = 1
        var beginsLine = true
        return (0..<pages.count).map { index in
            pages[index].lines.map { line in
                let margin = beginsLine ? String(number) : ""
                beginsLine = !line.isWrapped
                number += beginsLine ? 1 : 0
                return String(repeating: " ", count: max(0, marginWidth - 2 - margin.count)) + margin + "  "
                    + line.shown
            }
        }
    }

    private static func leaf(through pages: [[String]], _ ending: String) async -> Bool {
        var page = 0
        show(page, of: pages, ending)
        for await report in ConsoleKeypad(output: STDERR_FILENO).reports() {
            // A person cannot have read a page between two keys that came at once.
            guard let press = report.press, !press.isBurst else { continue }
            switch press.key {
            case .enter:
                page += 1
                guard page < pages.count else { return true }
                show(page, of: pages, ending)
            case .back, .clear: return false
            default: continue
            }
        }
        return false
    }

    private static func show(_ page: Int, of pages: [[String]], _ ending: String) {
        let isLast = page == pages.count - 1
        let offer = "page \(page + 1) of \(pages.count): Enter \(isLast ? "signs" : "goes on"), Backspace leaves"
        let rows = pages[page] + (isLast ? [ending] : []) + [offer]
        PINPrompt.say(rows.joined(separator: "\n") + "\n")
    }
}
