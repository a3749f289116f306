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
    private let screen: Mutex<TerminalScreen>
    private let sent = Mutex<[UInt8]>([])
    private let process = Process()
    private let errors: URL

    /// - Parameters:
    ///   - executable: the program; nil for the kiosk.
    ///   - showsErrors: whether standard error is the terminal too.
    init(
        _ arguments: [String], of executable: URL? = nil, settings: [String: String] = [:],
        columns: UInt16 = 80, rows: UInt16 = 24, showsErrors: Bool = false, in scratch: Scratch
    ) throws {
        FewAtATime.check()
        pseudoTerminal = try #require(PseudoTerminal(columns: columns, rows: rows))
        screen = Mutex(TerminalScreen(columns: Int(columns), rows: Int(rows)))
        errors = URL(filePath: try scratch.write("", to: "kiosk-errors"))
        let device = FileHandle(fileDescriptor: pseudoTerminal.device, closeOnDealloc: false)
        process.executableURL = try executable ?? Program("login-kiosk").executable
        process.arguments = arguments
        process.environment = Program.cleanEnvironment.merging(["NO_COLOR": "1"].merging(settings) { $1 }) { $1 }
        process.standardInput = device
        process.standardOutput = device
        process.standardError = showsErrors ? device : try FileHandle(forWritingTo: errors)
        try process.run()
        Thread.detachNewThread { [weak self] in
            while self?.read() == true {}
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        // Without it Foundation keeps two descriptors of each program.
        process.waitUntilExit()
    }

    /// The screen as a person sees it.
    var text: String { screen.withLock { $0.text } }
    var errorText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
    var isRunning: Bool { process.isRunning }
    var processID: Int32 { process.processIdentifier }
    /// Whether the kiosk reads keys already.
    var isListening: Bool { !pseudoTerminal.isCooked }

    /// Everything that came to the screen, echoes included.
    var sentBytes: [UInt8] { sent.withLock { $0 } }
    var sentText: String { String(decoding: sentBytes, as: UTF8.self) }

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
    func shows(_ text: String, polling browsers: [SiteClient] = []) async throws {
        let isShown = try await Patience.wait(
            Program.patience, every: .milliseconds(browsers.isEmpty ? 20 : 200), progress: { self.text.hashValue }
        ) { () async throws -> Bool? in
            for browser in browsers { try await browser.poll() }
            if flatText.contains(text), isListening { return true }
            return isRunning ? nil : false
        }
        try #require(isShown == true, "no '\(text)' in\n\(self.text)\n\(errorText)")
    }

    /// Waits for something that the program does.
    ///
    /// - Parameter hasEnded: whether the program has ended, whose last output may still come.
    func wait(hasEnded: Bool = false, until isSo: () async throws -> Bool) async throws {
        let wasSo = try await Patience.wait(Program.patience, progress: { sentBytes.count + errorText.utf8.count }) {
            () async throws -> Bool? in
            if try await isSo() { return true }
            return isRunning || hasEnded ? nil : false
        }
        try #require(wasSo == true, "\(text)\n\(errorText)")
    }

    /// Types without waiting.
    func type(_ text: String) { pseudoTerminal.type(text) }

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
        interrupt()
        return try await waitForEnd()
    }

    func interrupt() { kill(process.processIdentifier, SIGINT) }

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
