// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Patience
import Testing

/// Digits that a person reads from a terminal. They are shown with the remaining seconds, and removed at the end.
@Suite(.fewAtATime) struct IssuedCodeTerminalTests {
    @Test(arguments: [("otp", "one-time password", 60), ("bootstrap", "code for another device", 300)])
    func countsDown(command: String, name: String, lifetime: Int) async throws {
        let stage = try await OperatorStage(.mfaV2)
        try await enroll(stage)
        let terminal = try FlowTerminal(
            [command, "--user", OperatorTroubleTests.user]
                + stage.options().filter { $0 != "trace" && $0 != "--log-level" },
            in: stage.scratch)
        try await wait(for: terminal) { terminal.errorText.contains("PIN, or Backspace") && terminal.isListening }
        try await terminal.press(digits: "73")
        try terminal.setModesBack()
        try await wait(for: terminal) { terminal.errorText.contains("changed the terminal's modes") }
        try await terminal.press(digits: "7391")
        try await terminal.press(.enter)
        let line = /(.+): ([0-9]{6})   for ([0-9]+) s, Ctrl-C ends it/
        try await wait(for: terminal) { terminal.text.contains(line) }
        let first = try #require(terminal.text.firstMatch(of: line), "\(terminal.text)")
        let (digits, left) = (String(first.output.2), try #require(Int(first.output.3)))
        #expect(first.output.1 == name && left <= lifetime)
        try await wait(for: terminal) { terminal.text.firstMatch(of: line).flatMap { Int($0.output.3) } ?? 0 < left }
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
        // The terminal is read while the program runs.
        try await wait(for: nil) { terminal.text.contains("\(name): taken off the screen") }
        #expect(!terminal.text.contains(digits) && !terminal.errorText.contains(digits))
    }

    private func enroll(_ stage: OperatorStage) async throws {
        let page = try await stage.page()
        let enroll = ["--wait", "0", "--user", OperatorTroubleTests.user, "--qr"]
        let mailed = try await stage.run("enroll", with: enroll, lines: [page.code])
        #expect(mailed.status == 88, "\(mailed)")
        try await stage.follow(try await stage.mailedLink())
        let enrolled = try await stage.run("enroll", with: enroll, lines: [page.code, "7391"])
        #expect(enrolled.status == 0, "\(enrolled)")
    }

    /// - Parameter terminal: must be running meanwhile.
    private func wait(for terminal: FlowTerminal?, until isSo: () -> Bool) async throws {
        var patience = Patience(Program.patience)
        while !isSo(), !patience.isOver() {
            if let terminal { try #require(terminal.isRunning, "\(terminal.errorText) \(terminal.text)") }
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(isSo(), "\(terminal?.text ?? "")")
    }
}
