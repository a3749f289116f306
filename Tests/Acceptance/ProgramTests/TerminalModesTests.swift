// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import Patience
import PictureTestKit
import Testing

/// A login on a terminal whose modes another program sets back: a boot screen that ends, `stty sane`, a shell.
@Suite(.fewAtATime) struct TerminalModesTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// After each picture of a PIN's screen the painter conceals text. Text that comes all the same is an echo.
    private static func hasEcho(_ sent: Substring) -> Bool { sent.contains(/\x{1B}\[8;30;40m[^\x{1B}]/) }

    @Test func noMomentOfALoginShowsADigit() async throws {
        let service = try await ServiceWithUser(user: "carol@example.com", pin: "7193", in: scratch)
        let browser = try await SiteClient(opening: service.site)
        let picture = URL(
            filePath: try scratch.write(Picture(width: 64, height: 64, shade: 200).png(), to: "pictures/code.png"))
        let terminal = try FlowTerminal(
            ["run", "--source", "dir,loop,rate=5:\(scratch.path("pictures"))", "--language", "en"]
                + service.options(service.places), in: scratch)
        var changed = ContinuousClock.now
        /// To the kiosk, two changes within a second are a program that goes on.
        func aSecondHasPassed() async throws {
            let last = changed
            try await Patience.until { ContinuousClock.now - last >= .seconds(1) }
        }
        /// Sets the modes back, and waits until the kiosk has set its own.
        func setModesBack() async throws {
            try await aSecondHasPassed()
            try terminal.setModesBack()
            try await terminal.wait { terminal.isListening }
            changed = .now
        }

        try await terminal.wait { terminal.text.contains("QR code") && terminal.isListening }
        try await setModesBack()
        try await browser.picture().write(to: picture, options: .atomic)
        try await terminal.wait { terminal.text.contains(service.host) }
        try await setModesBack()
        try await terminal.press(.enter)
        try await terminal.wait { terminal.text.contains("PIN") }
        try await setModesBack()
        try await terminal.press(digits: "71")
        try await terminal.wait { terminal.text.contains("**") }
        try await setModesBack()
        // The digits so far are wiped: the next hand may be another person's.
        try await terminal.wait { !terminal.text.contains("**") }
        #expect(!Self.hasEcho(terminal.sentText[...]))

        // This digit comes before the kiosk can know. What the terminal made of it does not stay, and is no digit of
        // the PIN.
        try await aSecondHasPassed()
        let (screen, length) = (terminal.text, terminal.sentText.count)
        try terminal.setModesBack(typing: "7")
        try await terminal.wait { terminal.sentText.dropFirst(length).contains("\u{1B}[2J") && terminal.isListening }
        try await terminal.wait { terminal.text == screen }

        let later = terminal.sentText.count
        try await terminal.press(digits: "7193")
        try await terminal.wait { terminal.text.contains("****") }
        try await terminal.press(.enter)
        // The service answers with the page's next question.
        try await terminal.wait { terminal.text.contains("Logging in") || terminal.text.contains("successful") }
        while terminal.text.contains("Logging in"), terminal.isRunning { try await browser.poll() }
        try await terminal.wait { terminal.text.contains("Login successful") }
        #expect(!Self.hasEcho(terminal.sentText.dropFirst(later)))
        #expect(terminal.errorText.contains("another program changed the terminal's modes"))
        #expect(try await browser.page("/protected").contains("carol@example.com"))
        #expect(try await terminal.end() == 0)
        try await service.end()
    }
    /// A thread restores the terminal while the process ends. Its library gives the thread no time before.
    @Test(Preloaded.isPossible)
    func theShellGetsItsModesBackFromABusyMachine() async throws {
        let picture = try scratch.write(Picture(width: 64, height: 64, shade: 200).png(), to: "empty.png")
        let terminal = try FlowTerminal(
            ["run", "--source", "file,loop:\(picture)"] + scratch.places,
            settings: try await Preloaded.environment("terminal", in: scratch), in: scratch)
        try await terminal.wait { terminal.isListening }
        #expect(try await terminal.end() == 0)
        #expect(!terminal.isListening)
    }
}
