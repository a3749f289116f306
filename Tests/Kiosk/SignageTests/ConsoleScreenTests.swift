// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import ScreenTestKit
import KioskTestKit
import LinuxSystem
import Patience
import Testing
@testable import Signage

@Suite("The console screen on a terminal and without one", .serialized, .timeLimit(.minutes(10)))
struct ConsoleScreenTests {
    /// Feeds the program's output until the picture is the wanted one.
    static func watch(
        _ terminal: PseudoTerminal, _ screen: inout TerminalScreen, until isWanted: (TerminalScreen) -> Bool
    ) throws {
        var patience = Patience()
        while !isWanted(screen), !patience.isOver() {
            screen.feed(String(decoding: terminal.read(within: 100), as: UTF8.self))
        }
        try #require(isWanted(screen), "the terminal shows:\n\(screen.text)")
    }

    @Test func itDrawsFollowsTheSizeAndLeavesNothingBehind() async throws {
        let terminal = try #require(PseudoTerminal())
        let screen = ConsoleScreen(output: terminal.device)
        var seen = TerminalScreen(columns: 80, rows: 24)
        await screen.show(SampleViews.view("consent"))
        try Self.watch(terminal, &seen) { $0.text.contains("[Enter] OK   [Backspace] Not me") }
        #expect(seen.isAlternate && !seen.isCursorVisible)
        // The signal is heard a moment after the screen was made.
        var patience = Patience()
        repeat { kill(getpid(), SIGWINCH) } while terminal.read(within: 100).isEmpty && !patience.isOver()
        _ = terminal.readAll()

        terminal.resize(columns: 24, rows: 12)
        seen = TerminalScreen(columns: 24, rows: 12)
        kill(getpid(), SIGWINCH)
        try Self.watch(terminal, &seen) { $0.text.contains("[Enter] OK") }
        #expect(seen.text.hasPrefix("? Do you want to log in\nhere?\nService: Example Shop"))

        // A terminal of the same size with other content: a console with another font.
        seen = TerminalScreen(columns: 24, rows: 12)
        kill(getpid(), SIGWINCH)
        try Self.watch(terminal, &seen) { $0.text.contains("[Enter] OK") }
        #expect(seen.text.hasPrefix("? Do you want to log in\nhere?\nService: Example Shop"))

        await screen.close()
        try Self.watch(terminal, &seen) { $0.isCursorVisible }
        #expect(!seen.isAlternate)
    }

    /// A braille display follows the output, and cursor movements would lead it away.
    @Test func plainOnATerminalMovesNoCursorAndSaysNothingTwice() async throws {
        let terminal = try #require(PseudoTerminal())
        let screen = ConsoleScreen(output: terminal.device, style: .plain)
        for name in ["consent", "consent", "PIN", "consent", "stopped"] { await screen.show(SampleViews.view(name)) }
        await screen.close()
        var text = ""
        var patience = Patience()
        while !text.contains("The kiosk is not running"), !patience.isOver() {
            text += String(decoding: terminal.read(within: 100), as: UTF8.self)
        }
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 4 && lines.last == "The kiosk is not running")
        #expect(
            text.unicodeScalars.allSatisfy { $0 == "\r" || $0 == "\n" || $0.properties.generalCategory != .control })
    }

    @Test(
        arguments: [
            ([:], .automatic), (["TERM": "linux", "LANG": "de_DE.UTF-8"], .automatic),
            (["TERM": "dumb", "LANG": "C.UTF-8"], .plain), (["TERM": "dumb", "LANG": "C"], .ascii),
            (["LANG": "C.utf8"], .automatic), (["LANG": "C"], .ascii), (["LANG": "de_DE.ISO-8859-1"], .ascii),
            (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], .ascii), (["LANG": "de_DE.UTF-8", "LC_CTYPE": "POSIX"], .ascii),
            (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .automatic), (["LANG": "de_DE"], .automatic),
            (["LANG": "de_DE.UTF-8", "LC_CTYPE": "de_DE.ISO-8859-15@euro"], .ascii),
            (["LANG": "de_DE.ISO-8859-1", "LC_ALL": "en_GB.UTF-8"], .automatic),
            (["LC_ALL": "", "LANG": "ru_RU.KOI8-R"], .ascii),
        ] as [([String: String], ConsoleScreen.Style)])
    func theEnvironmentSaysHowToDraw(_ environment: [String: String], _ style: ConsoleScreen.Style) {
        #expect(ConsoleScreen.Style(environment: environment) == style)
    }

    /// No language has a character without a transliteration.
    @Test(arguments: PromptCatalogue.all.map(\.language))
    func everyWordHasATransliteration(_ language: String) throws {
        let catalogue = try #require(PromptCatalogue.all.first { $0.language == language })
        for key in PromptKey.allCases {
            let words = catalogue.text(Prompt(key))
            let ascii = ASCIIText.transliterated(words)
            #expect(ascii.utf8.allSatisfy { (0x20...0x7e).contains($0) } && !ascii.contains("<U+"), "\(words)")
        }
    }

    @Test(arguments: [
        ("Sprache/Langue/Idioma/Език", "Sprache/Langue/Idioma/Ezik"), ("Größe Äpfel", "Groesse Aepfel"),
        ("¿Qué? ‹Sí›", "?Que? <Si>"), ("Щастие… Жълъд", "Shtastie... Zhalad"), ("5 €, 😀", "5 <U+20AC>, <U+1F600>"),
        ("ASCII [~]", "ASCII [~]"),
    ])
    func transliterated(_ words: String, _ ascii: String) { #expect(ASCIIText.transliterated(words) == ascii) }

    @Test func withoutATerminalEachChangeIsALine() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) } == 0)
        let screen = ConsoleScreen(output: ends[1])
        for name in ["scan", "scan", "PIN"] { await screen.show(SampleViews.view(name)) }
        await ConsoleScreen(output: ends[1], style: .ascii).show(SampleViews.view("scan"))
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(ends[0], $0.baseAddress, $0.count) }
        close(ends[0])
        #expect(
            String(decoding: bytes.prefix(count), as: UTF8.self) == """
                Scan the login QR code | Hold the QR code of the login page in front of the camera. | \
                [2] Sprache/Langue/Idioma/Език
                Enter your PIN | User: alice@example.com | Service: Example Shop | Domain: login.example.com | \
                Type your PIN, then OK. | ***___ | [Enter] OK, [Ctrl-U] Clear, [Backspace] Back
                Scan the login QR code | Hold the QR code of the login page in front of the camera. | \
                [2] Sprache/Langue/Idioma/Ezik

                """)
    }
}
