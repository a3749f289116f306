// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import KioskTestKit
import Patience
import LinuxSystem
import Synchronization
import Testing

/// A kiosk on a terminal: its screen, and the keys of its keyboard.
final class FlowTerminal: Sendable {
    private let pseudoTerminal: PseudoTerminal
    private let screen = Mutex(TerminalScreen(columns: 80, rows: 24))
    private let sent = Mutex<[UInt8]>([])
    private let process = Process()
    private let errors: URL

    init(_ arguments: [String], settings: [String: String] = [:], in scratch: Scratch) throws {
        FewAtATime.check()
        pseudoTerminal = try #require(PseudoTerminal(columns: 80, rows: 24))
        errors = scratch.url.appending(path: "kiosk-errors")
        try Data().write(to: errors)
        let device = FileHandle(fileDescriptor: pseudoTerminal.device, closeOnDealloc: false)
        process.executableURL = try Program("login-kiosk").executable
        process.arguments = arguments
        process.environment = Program.cleanEnvironment.merging(["NO_COLOR": "1"].merging(settings) { $1 }) { $1 }
        process.standardInput = device
        process.standardOutput = device
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        Thread.detachNewThread { [weak self] in
            while self?.read() == true {}
        }
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The screen as a person sees it.
    var text: String { screen.withLock { $0.text } }
    var errorText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
    var isRunning: Bool { process.isRunning }
    /// Whether the kiosk reads keys already.
    var isListening: Bool { !pseudoTerminal.isCooked }

    /// Everything that came to the screen, echoes included.
    var sentText: String { String(decoding: sent.withLock { $0 }, as: UTF8.self) }

    /// Sets the terminal's modes as another program does: with echo and lines.
    ///
    /// - Parameter text: typed before the kiosk can know.
    func setModesBack(typing text: String = "") throws {
        try #require(pseudoTerminal.setModesBack())
        if !text.isEmpty { pseudoTerminal.type(text) }
    }

    /// The rows as one line, to find a sentence across line breaks.
    var flatText: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Waits until the screen shows a text and the kiosk reads keys.
    ///
    /// - Parameter browsers: poll meanwhile, as their pages do.
    func shows(_ text: String, polling browsers: [TestBrowser] = []) async throws {
        let isShown = try await Patience.wait(
            Program.patience, every: .milliseconds(browsers.isEmpty ? 20 : 200), progress: { self.text.hashValue }
        ) { () async throws -> Bool? in
            for browser in browsers { try await browser.poll() }
            if flatText.contains(text), isListening { return true }
            return isRunning ? nil : false
        }
        try #require(isShown == true, "no '\(text)' in\n\(self.text)\n\(errorText)")
    }

    /// Presses a key, and waits until the kiosk has read it: two keys at once count as a paste.
    func press(_ key: Key) async throws {
        pseudoTerminal.type(FlowTerminal.text(of: key))
        var patience = Patience(Program.patience)
        repeat {
            try await Task.sleep(for: .milliseconds(20))
        } while pseudoTerminal.hasInput(within: 0) && !patience.isOver()
    }

    func press(digits: String) async throws {
        for digit in digits.utf8 { try await press(.digit(digit - UInt8(ascii: "0"))) }
    }

    /// Ends the kiosk by Ctrl-C.
    ///
    /// - Returns: its exit code.
    func end() async throws -> Int32 {
        kill(process.processIdentifier, SIGINT)
        return try await waitForEnd()
    }

    /// - Returns: its exit code.
    func waitForEnd() async throws -> Int32 {
        let hasEnded = try await Patience.wait(Program.patience) { process.isRunning ? nil : true }
        try #require(hasEnded != nil, "the kiosk does not end")
        return process.terminationStatus
    }

    /// - Returns: whether there may be more.
    private func read() -> Bool {
        let bytes = pseudoTerminal.read(within: 50)
        if !bytes.isEmpty { screen.withLock { $0.feed(bytes) } }
        sent.withLock { $0 += bytes }
        return true
    }

    private static func text(of key: Key) -> String {
        switch key {
        case .digit(let digit): "\(digit)"
        case .enter: "\r"
        case .clear: "\u{15}"
        case .back: "\u{7F}"
        case .menu: "\t"
        case .character(let character): String(character)
        }
    }
}
