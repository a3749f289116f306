// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Patience
import Testing

/// What you see is what you sign: a terminal shows every page before the PIN is asked for.
@Suite(.fewAtATime) struct SignTerminalTests {
    @Test func showsEveryPageFirst() async throws {
        let stage = try await OperatorStage(.trust2025)
        let user = OperatorTroubleTests.user
        let mailed = try await stage.run("enroll", "--backend", stage.site, "--user", user)
        #expect(mailed.status == 88, "\(mailed)")
        let enrolled = try await stage.run(
            "enroll", "--backend", stage.site, "--user", user, lines: [try await stage.mailedLink(), "7391"])
        #expect(enrolled.status == 0, "\(enrolled)")

        // It clears the screen, changes the writing direction, imitates the command's spelling of a character, and
        // has its price on the second page.
        let text =
            "Pay five.\u{1B}[2J\u{202E}‹U+0041›\n" + String(repeating: "and so on\n", count: 30) + "Or five hundred."
        let document = stage.scratch.path("document")
        try Data(text.utf8).write(to: URL(filePath: document))
        let terminal = try FlowTerminal(
            ["sign", "--user", user, "--document", document]
                + stage.options().filter { $0 != "trace" && $0 != "--log-level" },
            in: stage.scratch)
        try await wait(for: "page 1 of 2: Enter goes on", in: terminal)
        #expect(terminal.errorText.contains("1  Pay five.‹U+001B›[2J‹U+202E›‹U+2039›U+0041›\n"))
        #expect(!terminal.errorText.contains("five hundred") && !terminal.errorText.contains("PIN"))
        try await terminal.press(.enter)
        try await wait(for: "page 2 of 2: Enter signs", in: terminal)
        #expect(
            terminal.errorText.contains("32  Or five hundred.\n-- the document ends here: \(text.utf8.count) bytes"))
        try await terminal.press(.enter)
        let question = "PIN for signing, or Backspace to decline: "
        try await wait(for: question, in: terminal)
        // Another program sets the terminal's modes back again and again: it would show a PIN, so none is asked for.
        let notice = "end that program"
        let wasTold = try await Patience.wait(Program.patience) {
            try terminal.setModesBack()
            return terminal.errorText.contains(notice) || !terminal.isRunning ? true : nil
        }
        try #require(wasTold != nil && terminal.isRunning, "\(terminal.errorText)")
        let isAskedAgain = try await Patience.wait(Program.patience) {
            terminal.errorText.hasSuffix(question) && terminal.isListening ? true : nil
        }
        #expect(isAskedAgain != nil, "\(terminal.errorText)")
        let afterNotice = terminal.errorText.split(separator: notice).last ?? ""
        #expect(afterNotice == "\n\r\u{1B}[K" + question)
        for digit in [UInt8(7), 3, 9, 1] { try await terminal.press(.digit(digit)) }
        try await terminal.press(.enter)
        #expect(try await terminal.waitForEnd() == 0, "\(terminal.errorText)")
        // The terminal is read while the program runs.
        var patience = Patience(Program.patience)
        while !terminal.text.contains("signed: \(user)"), !patience.isOver() {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(terminal.text.contains("signed: \(user)"), "\(terminal.text)")
    }

    private func wait(for text: String, in terminal: FlowTerminal) async throws {
        var patience = Patience(Program.patience)
        while !terminal.errorText.contains(text) || !terminal.isListening, !patience.isOver() {
            try #require(terminal.isRunning, "\(terminal.errorText)")
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(terminal.errorText.contains(text), "\(terminal.errorText)")
    }
}
