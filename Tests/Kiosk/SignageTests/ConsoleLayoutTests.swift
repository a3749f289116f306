// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import ScreenTestKit
import Testing
@testable import Signage

@Suite("A view on the rows of a terminal")
struct ConsoleLayoutTests {
    static let layout = ConsoleLayout(languages: .standard)

    static func picture(_ name: String, columns: Int, rows: Int) -> String {
        layout.lines(of: SampleViews.view(name), size: ScreenSize(columns: columns, rows: rows)).map(\.text)
            .joined(separator: "\n")
    }

    @Test(arguments: SampleViews.all.map(\.name))
    func everyViewFitsEverySize(name: String) {
        let view = SampleViews.view(name)
        // All narrow and low screens, and some larger ones.
        for columns in Array(1...44) + stride(from: 45, through: 100, by: 11) {
            for rows in Array(0...12) + stride(from: 13, through: 30, by: 5) {
                let lines = Self.layout.lines(of: view, size: ScreenSize(columns: columns, rows: rows))
                let fits = lines.count <= rows && lines.allSatisfy { $0.text.count <= columns }
                if !fits { Issue.record("\(name) does not fit \(columns)x\(rows)") }
            }
        }
    }

    /// Forty columns and twelve rows are the smallest screen without omissions.
    @Test(arguments: PromptCatalogue.all.map(\.language))
    func nothingIsLeftOutOnTheSmallestScreen(language: String) throws {
        let catalogue = try #require(PromptCatalogue.all.first { $0.language == language })
        let layout = ConsoleLayout(languages: try #require(Languages(first: language)))
        for (name, view) in SampleViews.all {
            let words = layout.lines(of: view, size: ScreenSize(columns: 40, rows: 12)).map(\.text)
                .joined(separator: " ").split(separator: " ").joined(separator: " ")
            for prompt in [view.title] + view.lines + [view.hint].compactMap(\.self) + view.actions.map(\.label) {
                #expect(words.contains(catalogue.text(prompt)), "\(language): \(name) has no \(prompt.key)")
            }
        }
    }

    @Test func wideCharactersTakeTwoColumns() {
        #expect("登录 a".columns == 6)
        #expect("日本語テキスト".wrapped(to: 7) == ["日本語", "テキス", "ト"])
        #expect("日本 x".wrapped(to: 1) == [" ", " ", "x"])
        #expect("e\u{301}é".columns == 2)
        var view = SampleViews.view("consent")
        view.lines = [Prompt(.consentService, [.service: String(repeating: "銀行", count: 32)])]
        for columns in 1...100 {
            let lines = Self.layout.lines(of: view, size: ScreenSize(columns: columns, rows: 200))
            #expect(lines.allSatisfy { $0.text.columns <= columns }, "\(columns) columns")
        }
    }

    @Test func goldenConsent() {
        #expect(
            Self.picture("consent", columns: 80, rows: 24) == """

                  ? Do you want to log in here?

                  Service: Example Shop
                  Domain: login.example.com
                  Application: Orders
                  Customer: ACME Ltd
                  User: alice@example.com

                  [Enter] OK   [Backspace] Not me

                """)
    }

    @Test func goldenPIN() {
        #expect(
            Self.picture("PIN", columns: 80, rows: 24) == """

                  ? Enter your PIN

                  User: alice@example.com
                  Service: Example Shop
                  Domain: login.example.com
                  Type your PIN, then OK.

                  ***___

                  [Enter] OK   [Ctrl-U] Clear   [Backspace] Back

                """)
    }

    private static func document(_ text: String, size: DocumentPageSize = .standard) throws -> KioskView {
        let pages = DocumentPages(try DocumentText(Array(text.utf8)), size: size)
        return KioskView(
            .document, .ask, title: Prompt(.documentTitle), lines: [Prompt(.documentName, [.name: "Rent"])],
            document: pages[0], hint: Prompt(.documentPage, [.page: "1", .pages: "\(pages.count)"]),
            actions: [ViewAction(.enter, .actionNextPage), ViewAction(.back, .actionCancel)])
    }

    @Test func goldenDocument() throws {
        let view = try Self.document("I pay 10 euros.\n\n[Enter] Sign\u{202E}")
        #expect(
            Self.layout.lines(of: view, size: .standard).map(\.text).joined(separator: "\n") == """

                  ? Read what you sign

                  Document: Rent

                  | I pay 10 euros.
                  |\(" ")
                  | [Enter] Sign‹U+202E›

                  Page 1 of 1

                  [Enter] Next page   [Backspace] Cancel

                """)
        #expect(
            Self.layout.sentence(of: view)
                == "Read what you sign | Document: Rent | I pay 10 euros. /  / [Enter] Sign‹U+202E› | Page 1 of 1 | "
                + "[Enter] Next page, [Backspace] Cancel")
    }

    /// A page is shown whole or not at all.
    @Test func noPartOfADocumentIsCut() throws {
        let view = try Self.document(
            (1...12).map { "\($0) " + String(repeating: "x", count: 57) }.joined(separator: "\n"))
        let rows = try #require(view.document).lines.map(\.shown)
        #expect(rows.count == 10)
        for columns in 1...100 {
            for count in 0...30 {
                let lines = Self.layout.lines(of: view, size: ScreenSize(columns: columns, rows: count))
                #expect(lines.count <= count && lines.allSatisfy { $0.text.count <= columns })
                let shown = lines.filter { $0.style == .document }.map { $0.text.drop { $0 == " " }.dropFirst(2) }
                #expect(shown.isEmpty || shown.map(String.init) == rows, "\(columns)x\(count)")
                #expect(!shown.isEmpty || columns < 66 || count < 13, "\(columns)x\(count)")
            }
        }
        let small = Self.layout.lines(of: view, size: ScreenSize(columns: 40, rows: 12)).map(\.text)
        #expect(small.joined(separator: " ").contains("This screen is too small for the document."))
    }

    @Test func goldenOnAVerySmallDisplay() {
        #expect(
            Self.picture("PIN", columns: 20, rows: 6) == """
                ? Enter your PIN
                ***___
                [Enter] OK
                [Ctrl-U] Clear
                [Backspace] Back
                """)
        #expect(
            Self.picture("session expired", columns: 40, rows: 8) == """

                X This code is old. Scan the new one, or
                reload the login page.

                [Enter] Continue

                """)
    }

    /// A code is shown whole, or the screen says that it does not fit.
    @Test func aCardIsAWholeCodeOrNone() throws {
        let view = SampleViews.view("another card")
        let entry = try #require(view.entry)
        let words = PromptCatalogue.english.text(Prompt(.cardNeedsRoom))
        var codes = 0
        for columns in 20...100 {
            for rows in 8...40 {
                let lines = Self.layout.lines(of: view, size: ScreenSize(columns: columns, rows: rows))
                let code = lines.filter { $0.style == .picture }
                // 25 modules and the quiet zone, two per row of the terminal.
                #expect(code.isEmpty || code.count == 17 && code.allSatisfy { $0.text.count == 33 })
                let text = lines.map(\.text).joined(separator: " ").split(separator: " ").joined(separator: " ")
                if rows >= 12 { #expect(code.isEmpty == text.contains(words), "\(columns)x\(rows)") }
                #expect(text.contains("[Enter] Done"))
                // The kiosk says so before it makes a card.
                if columns % 16 < 2 {
                    let hasRoom = Self.layout.hasRoom(for: entry, size: ScreenSize(columns: columns, rows: rows))
                    #expect(hasRoom == !code.isEmpty, "\(columns)x\(rows)")
                }
                codes += code.isEmpty ? 0 : 1
            }
        }
        #expect(codes > 1000)
        // Dark on light, whatever the terminal's colours are.
        var painter = ConsolePainter(layout: Self.layout, usesColour: true)
        #expect(painter.paint(view, size: ScreenSize(columns: 80, rows: 40)).contains("\u{1B}[30;107m "))
        #expect(Self.layout.sentence(of: view).contains(words))
    }

    @Test func goldenSentence() {
        #expect(
            Self.layout.sentence(of: SampleViews.view("PIN"))
                == "Enter your PIN | User: alice@example.com | Service: Example Shop | Domain: login.example.com | "
                + "Type your PIN, then OK. | ***___ | [Enter] OK, [Ctrl-U] Clear, [Backspace] Back")
    }

    @Test(arguments: [
        ("", 5, [""]), ("one", 5, ["one"]), ("one two", 5, ["one", "two"]), ("one two", 7, ["one two"]),
        ("to alice@login.example.com", 20, ["to", "alice@login.example.", "com"]),
        ("https://login.example.com:8443/a", 12, ["https://", "login.", "example.com:", "8443/a"]),
        ("abc.defghijkl", 5, ["abc.", "defgh", "ijkl"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]), ("a abcdef", 3, ["a", "abc", "def"]), ("abc", 0, []),
    ])
    func wrapping(text: String, columns: Int, lines: [String]) {
        #expect(text.wrapped(to: columns) == lines)
    }

    /// At any size OK is offered exactly where all that it agrees to can be read.
    @Test(arguments: PromptCatalogue.all.map(\.language))
    func factsAreThereOrOKIsNot(language: String) throws {
        let catalogue = try #require(PromptCatalogue.all.first { $0.language == language })
        let layout = ConsoleLayout(languages: try #require(Languages(first: language)))
        let binding = SampleViews.all.filter { $0.view.factCount > 0 }
        #expect(binding.contains { $0.view.stage == .consent })
        for (name, view) in binding {
            let facts = view.lines.prefix(view.factCount).map(catalogue.text)
            for columns in [8, 20, 40, 80] {
                for rows in 0...24 {
                    let size = ScreenSize(columns: columns, rows: rows)
                    let words = layout.lines(of: view, size: size).map(\.text).joined().filter { !$0.isWhitespace }
                    let areShown = facts.allSatisfy { words.contains($0.filter { !$0.isWhitespace }) }
                    let isOffered = words.contains("[Enter]")
                    let isRefused = layout.leavesFactsOut(of: view, size: size)
                    if isRefused == areShown || isRefused == isOffered {
                        Issue.record("\(language): \(name) at \(columns)x\(rows): \(words)")
                    }
                }
            }
        }
    }

    /// A kiosk can be set up and reset even where nothing else fits.
    @Test(arguments: PromptCatalogue.all.map(\.language))
    func aProfileFitsTheSmallestScreen(language: String) throws {
        let layout = ConsoleLayout(languages: try #require(Languages(first: language)))
        let views = SampleViews.all.filter { [.setupQuestion, .resetQuestion].contains($0.view.stage) }
        #expect(views.count == 7)
        let size = ScreenSize(columns: 20, rows: 6)
        for (name, view) in views {
            #expect(!layout.leavesFactsOut(of: view, size: size), "\(language): \(name)")
            let words = layout.lines(of: view, size: size).map(\.text)
            #expect(words.count { $0.contains("[Backspace]") } == 1, "\(language): \(name): \(words)")
        }
    }

    @Test func aSmallScreenSaysWhyThereIsNoOK() {
        for rows in [6, 8] {
            #expect(
                Self.picture("consent", columns: 20, rows: rows) == """
                    ? The screen is too
                    small to show what
                    you would agree to.
                    Please make it
                    larger.
                    [Backspace] Not me
                    """)
        }
    }

    /// The advice at a PIN goes before the facts do.
    @Test func adviceOnNumLockTakesNoRoomFromFacts() {
        var view = SampleViews.view("PIN")
        view.factCount = 1
        var advised = view
        advised.keyNames = .terminal(needsNumLock: true)
        for columns in [8, 20, 40, 80] {
            for rows in 0...24 {
                let size = ScreenSize(columns: columns, rows: rows)
                let isRefused = Self.layout.leavesFactsOut(of: view, size: size)
                #expect(Self.layout.leavesFactsOut(of: advised, size: size) == isRefused, "\(columns)x\(rows)")
                let lines = Self.layout.lines(of: view, size: size)
                #expect(!isRefused || Self.layout.lines(of: advised, size: size) == lines, "\(columns)x\(rows)")
            }
        }
    }

    @Test func aSmallTerminalShowsTheTroubleAndThatItIsTooSmall() {
        let size = ScreenSize(columns: 20, rows: 6)
        func text(_ view: KioskView) -> String {
            Self.layout.lines(of: view, size: size).map { $0.text.trimmingPrefix(" ") }.joined(separator: " ")
        }
        let scan = KioskView(
            .scan, .trouble, title: Prompt(.scanTitle), lines: [Prompt(.cameraMissing)],
            actions: [ViewAction(.clear, .actionLanguage)])
        let consent = KioskView(
            .consent, .ask, title: Prompt(.consentTitle), lines: [Prompt(.scanHelp), Prompt(.scanHelp)], factCount: 2,
            actions: [ViewAction(.enter, .actionDone), ViewAction(.back, .actionBack)])
        let english = Languages.standard.catalogue(for: scan)
        #expect(text(scan).contains(english.text(Prompt(.cameraMissing))), "\(text(scan))")
        #expect(text(consent).contains(english.text(Prompt(.factsNeedRoom))), "\(text(consent))")
    }
}
