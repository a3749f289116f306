// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension ConsoleLayout {
    /// Longer rows are hard to read.
    private static let mostColumns = 80

    static func margin(of size: ScreenSize) -> Int { size.columns >= 60 ? 2 : 0 }

    /// The largest page of a document that fits beside title, lines and keys, in every language; nil on a screen
    /// without room for the smallest. Empty rows between them are dropped before rows of the page, down to those of a
    /// usual page.
    func documentRoom(in size: ScreenSize) -> DocumentPageSize? {
        let columns = min(size.columns - 2 * ConsoleLayout.margin(of: size) - 2, ConsoleLayout.mostColumns)
        let rows =
            languages.tags.indices.map { language in
                var view = ConsoleLayout.company
                view.languageTurn = language
                let around = lines(of: view, size: ScreenSize(columns: size.columns, rows: .max))
                // The page has an empty row below it, too.
                let airy = size.rows - around.count - 1
                let dense = size.rows - around.count { !$0.text.isEmpty }
                return max(airy, min(dense, DocumentPageSize.standard.rows))
            }.min() ?? 0
        guard columns >= DocumentPageSize.smallest.columns, rows >= DocumentPageSize.smallest.rows else { return nil }
        return DocumentPageSize(columns: columns, rows: rows)
    }

    /// The text that usually surrounds a page. If there is more text, its lines are dropped before the page is.
    private static let company = KioskView(
        .document, .ask, title: Prompt(.documentTitle),
        lines: [
            Prompt(.consentService, [.service: "Example Shop"]),
            Prompt(.consentDomain, [.domain: "login.example.com"]),
            Prompt(.documentDescription), Prompt(.documentPage, [.page: "10", .pages: "10"]),
        ], hint: Prompt(.documentMark),
        actions: [ViewAction(.enter, .actionNextPage), ViewAction(.back, .actionPreviousPage)])
}
