// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Testing
@testable import Signage

@Suite("The size of a document's page")
struct DocumentRoomTests {
    private static let layout = ConsoleLayout(languages: .standard)

    @Test(arguments: [
        (80, 24, 74, 11), (80, 23, 74, 10), (80, 17, 74, 10), (200, 60, 80, 47),
    ])
    func ofATerminal(columns: Int, rows: Int, pageColumns: Int, pageRows: Int) {
        let room = Self.layout.documentRoom(in: ScreenSize(columns: columns, rows: rows))
        #expect(room == DocumentPageSize(columns: pageColumns, rows: pageRows))
    }

    /// The number of remaining rows depends on the languages.
    @Test(arguments: [(50, 15), (40, 12)])
    func ofASmallTerminal(columns: Int, rows: Int) throws {
        let room = try #require(Self.layout.documentRoom(in: ScreenSize(columns: columns, rows: rows)))
        #expect(room.columns == columns - 2 && (2...10).contains(room.rows))
    }

    @Test(arguments: [(80, 8), (17, 60), (20, 10), (1, 1), (0, 0)])
    func ofATerminalThatIsTooSmall(columns: Int, rows: Int) {
        #expect(Self.layout.documentRoom(in: ScreenSize(columns: columns, rows: rows)) == nil)
    }

    /// The whole page fits beside any name of a service.
    @Test func whatHasRoomIsShown() throws {
        let text = String(repeating: "wwwww ", count: 700)
        let name = String(repeating: "n", count: DisplayText.maximumLength)
        for columns in [18, 33, 59, 60, 80, 130] {
            for rows in [9, 12, 16, 24, 40] {
                let size = ScreenSize(columns: columns, rows: rows)
                guard let room = Self.layout.documentRoom(in: size) else { continue }
                let page = DocumentPages(try DocumentText(Array(text.utf8)), size: room)[0]
                for (language, tag) in Languages.standard.tags.enumerated() {
                    var view = KioskView(
                        .document, .ask, title: Prompt(.documentTitle),
                        lines: [
                            Prompt(.consentService, [.service: name]), Prompt(.consentDomain, [.domain: name]),
                            Prompt(.documentDescription), Prompt(.documentPage, [.page: "100", .pages: "200"]),
                        ], document: page, hint: Prompt(.documentMark),
                        actions: [ViewAction(.enter, .actionNextPage), ViewAction(.back, .actionPreviousPage)])
                    view.languageTurn = language
                    let lines = Self.layout.lines(of: view, size: size)
                    #expect(lines.count <= rows && lines.allSatisfy { $0.text.columns <= columns })
                    #expect(lines.count { $0.style == .document } == room.rows, "\(columns)x\(rows) in \(tag)")
                }
            }
        }
    }

    /// A screen of a given size.
    private struct SizedScreen: KioskScreen {
        let documentRoom: DocumentPageSize?
        var showsCards = false

        func hasRoom(for entry: ViewEntry) -> Bool { showsCards }

        func show(_ view: KioskView) async {}
    }

    @Test func ofSeveralScreens() {
        func together(_ rooms: DocumentPageSize?...) -> DocumentPageSize? {
            AllScreens(rooms.map { SizedScreen(documentRoom: $0) }).documentRoom
        }
        let (wide, high) = (DocumentPageSize(columns: 80, rows: 5), DocumentPageSize(columns: 20, rows: 30))
        #expect(together(wide, nil, high) == DocumentPageSize(columns: 20, rows: 5))
        #expect(together(nil, wide) == wide)
        #expect(together(nil, nil) == nil && together() == nil)
        let (one, other) = (SizedScreen(documentRoom: nil, showsCards: true), SizedScreen(documentRoom: wide))
        #expect(AllScreens([other, one]).hasRoom(for: .text("")) && !AllScreens([other]).hasRoom(for: .text("")))
    }
}
