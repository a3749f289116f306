// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import KioskTestKit
import Testing
@testable import Signage

@Suite("Redrawing in place")
struct ConsolePainterTests {
    static func painter(usesColour: Bool = true) -> ConsolePainter {
        ConsolePainter(layout: ConsoleLayout(languages: .standard), usesColour: usesColour)
    }

    @Test func afterEachChangeTheTerminalShowsExactlyTheView() {
        for size in [ScreenSize.standard, ScreenSize(columns: 32, rows: 9), ScreenSize(columns: 8, rows: 3)] {
            var painter = Self.painter()
            var terminal = TerminalScreen(columns: size.columns, rows: size.rows)
            for (name, view) in SampleViews.all + SampleViews.all.reversed() {
                terminal.feed(painter.paint(view, size: size))
                var fresh = TerminalScreen(columns: size.columns, rows: size.rows)
                var other = Self.painter()
                fresh.feed(other.paint(view, size: size))
                #expect(terminal.text == fresh.text, "\(name) at \(size)")
                #expect(terminal.unknown == [])
            }
        }
    }

    @Test func whatStaysIsNotSentAgain() {
        var painter = Self.painter()
        #expect(painter.paint(SampleViews.view("new PIN"), size: .standard).contains("\u{1B}[2J"))
        #expect(painter.paint(SampleViews.view("new PIN"), size: .standard) == "")
        let change = painter.paint(SampleViews.view("new PIN typed"), size: .standard)
        #expect(change.contains("****__"))
        #expect(!change.contains("alice"))
        #expect(!change.contains("\u{1B}[2J"))
    }

    /// The terminal may show what is typed while its modes cannot be set, and people type on.
    @Test func textIsConcealedAtAPINAlsoWithoutItsEntry() {
        var painter = Self.painter()
        let missing = KioskView(.pin, .ask, title: Prompt(.keypadMissing))
        #expect(painter.paint(missing, size: .standard).hasSuffix("\u{1B}[8;30;40m"))
        #expect(painter.paint(SampleViews.view("scan"), size: .standard).hasPrefix("\u{1B}[0m"))
    }

    @Test func aNewSizeIsDrawnAnew() {
        var painter = Self.painter()
        _ = painter.paint(SampleViews.view("scan"), size: .standard)
        let text = painter.paint(SampleViews.view("scan"), size: ScreenSize(columns: 30, rows: 10))
        #expect(text.hasPrefix("\u{1B}[2J"))
    }

    @Test func withoutColourThereIsNone() {
        var painter = Self.painter(usesColour: false)
        for (_, view) in SampleViews.all {
            let text = painter.paint(view, size: .standard)
            for colour in 30...37 { #expect(!text.contains("\(colour)m")) }
        }
    }
}
