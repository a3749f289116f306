// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import KioskTestKit
import LoginValues
import Testing
@testable import Signage

@Suite("The resting idle screen, and a code that is typed")
struct RestTests {
    static func resting(_ step: Int?) -> KioskView {
        var view = SampleViews.view("scan")
        view.restStep = step
        return view
    }

    @Test func thePictureWandersOverAllRowsAndStaysWhole() {
        let layout = ConsoleLayout(languages: .standard)
        let size = ScreenSize(columns: 80, rows: 12)
        var tops: Set<Int> = []
        for step in 0..<40 {
            let lines = layout.lines(of: Self.resting(step), size: size)
            #expect(lines.count <= size.rows)
            tops.insert(lines.firstIndex { !$0.text.isEmpty } ?? -1)
            #expect(
                lines.count { !$0.text.isEmpty }
                    == layout.lines(of: Self.resting(nil), size: size).count { !$0.text.isEmpty })
        }
        #expect(tops.count > 5 && tops.contains(0))
        #expect(layout.lines(of: Self.resting(7), size: ScreenSize(columns: 20, rows: 2)).count == 2)
    }

    @Test func atRestEverythingIsFaint() {
        var painter = ConsolePainter(layout: ConsoleLayout(languages: .standard), usesColour: true)
        let bright = painter.paint(Self.resting(nil), size: .standard)
        let faint = painter.paint(Self.resting(0), size: .standard)
        #expect(!bright.contains("\u{1B}[2m") && faint.contains("\u{1B}[2m") && !faint.contains("\u{1B}[1m"))
        // The words are equal, so only the brightness shows that it must be painted again.
        var screen = TerminalScreen(columns: 80, rows: 24)
        screen.feed(bright + faint + painter.paint(Self.resting(nil), size: .standard))
        #expect(screen.text.contains("Scan the login QR code"))
    }

    @Test func aCodeStandsInFours() {
        let code = SecretBytes(copying: Array("c0de1234567".utf8))
        let view = KioskView(.codeEntry, .ask, title: Prompt(.codeEntryTitle), entry: .code(code))
        let lines = ConsoleLayout(languages: .standard).lines(of: view, size: .standard)
        #expect(lines.contains { $0.text.hasSuffix("> c0de 1234 567_") })
    }
}
