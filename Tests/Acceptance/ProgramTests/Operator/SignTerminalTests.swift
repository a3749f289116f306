// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

/// What you see is what you sign: a terminal shows every page before the PIN is asked for.
@Suite(.fewAtATime) struct SignTerminalTests {
    @Test func showsEveryPageFirst() async throws {
        let stage = try await OperatorStage(.trust2025)
        try await stage.enroll(pin: "7391").expect(0)

        // It clears the screen, changes the writing direction, imitates the command's spelling of a character, and
        // has its price on the second page.
        let text =
            "Pay five.\u{1B}[2J\u{202E}‹U+0041›\n" + String(repeating: "and so on\n", count: 30) + "Or five hundred."
        let document = try stage.scratch.write(text, to: "document")
        let terminal = try FlowTerminal(
            ["sign", "--user", OperatorStage.user, "--document", document] + stage.options(), in: stage.scratch)
        func asks(_ text: String) async throws {
            try await terminal.wait { terminal.errorText.contains(text) && terminal.isListening }
        }
        try await asks("page 1 of 2: Enter goes on")
        #expect(terminal.errorText.contains("1  Pay five.‹U+001B›[2J‹U+202E›‹U+2039›U+0041›\n"))
        #expect(!terminal.errorText.contains("five hundred") && !terminal.errorText.contains("PIN"))
        try await terminal.press(.enter)
        try await asks("page 2 of 2: Enter signs")
        #expect(
            terminal.errorText.contains("32  Or five hundred.\n-- the document ends here: \(text.utf8.count) bytes"))
        try await terminal.press(.enter)
        let question = "PIN for signing, or Backspace to decline: "
        try await asks(question)
        // Another program sets the terminal's modes back again and again: it would show a PIN, so none is asked for.
        let notice = "end that program"
        try await terminal.wait {
            try terminal.setModesBack()
            return terminal.errorText.contains(notice)
        }
        try await terminal.wait { terminal.errorText.hasSuffix(question) && terminal.isListening }
        let afterNotice = terminal.errorText.split(separator: notice).last ?? ""
        #expect(afterNotice == "\n\r\u{1B}[K" + question)
        try await terminal.press(digits: "7391")
        try await terminal.press(.enter)
        #expect(try await terminal.waitForEnd() == 0, "\(terminal.errorText)")
        try await terminal.wait(hasEnded: true) { terminal.text.contains("signed: \(OperatorStage.user)") }
    }
}
