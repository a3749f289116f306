// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

/// Digits that a person reads from a terminal. They are shown with the remaining seconds, and removed at the end.
@Suite(.fewAtATime) struct IssuedCodeTerminalTests {
    @Test func countsDown() async throws {
        let stage = try await OperatorStage(.mfaV2)
        try await stage.service.enroll(OperatorStage.user, pin: "7391")
        try await countsDown("otp", "one-time password", lifetime: 60, stage)
        try await countsDown("registration-code", "registration code", lifetime: 300, stage)
    }

    private func countsDown(_ command: String, _ name: String, lifetime: Int, _ stage: OperatorStage) async throws {
        let terminal = try FlowTerminal([command, "--user", OperatorStage.user] + stage.options(), in: stage.scratch)
        try await terminal.wait { terminal.errorText.contains("PIN, or Backspace") && terminal.isListening }
        try await terminal.press(digits: "73")
        try terminal.setModesBack()
        try await terminal.wait { terminal.errorText.contains("changed the terminal's modes") }
        try await terminal.press(digits: "7391")
        try await terminal.press(.enter)
        let line = /(.+): ([0-9]{6})   for ([0-9]+) s, Ctrl-C ends it/
        try await terminal.wait { terminal.text.contains(line) }
        let first = try #require(terminal.text.firstMatch(of: line), "\(terminal.text)")
        let (digits, left) = (String(first.output.2), try #require(Int(first.output.3)))
        #expect(first.output.1 == name && left <= lifetime)
        try await terminal.wait { terminal.text.firstMatch(of: line).flatMap { Int($0.output.3) } ?? 0 < left }
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
        try await terminal.wait(hasEnded: true) { terminal.text.contains("\(name): taken off the screen") }
        #expect(!terminal.text.contains(digits) && !terminal.errorText.contains(digits))
    }
}
