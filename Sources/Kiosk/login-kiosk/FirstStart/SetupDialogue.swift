// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import Signage

/// Questions and answers at the terminal of standard input and output, of any size.
actor SetupDialogue {
    private static let interval = Duration.milliseconds(30)
    /// Longer than any answer.
    private static let maximumLine = 1024

    /// The rows since the person last typed a line: more than a screen would scroll away unread.
    private var rows = 0

    /// The person has closed the terminal, or left where nothing was asked.
    struct Closed: Error {}

    nonisolated var size: ScreenSize { ConsoleScreen.size(of: STDOUT_FILENO) }

    /// Shows a paragraph, and waits for Enter where the screen is full.
    func say(_ text: String) async throws {
        for line in lines(of: text) {
            // The question takes the last row.
            if rows >= max(size.rows - 1, 1) {
                try put("-- Enter --")
                if FirstStart.Input(line: try await typedLine()) == .left { throw Closed() }
            }
            try put("\(line)\n")
            rows += 1
        }
    }

    /// Shows a line while the person does something else than reading.
    func note(_ text: String) throws {
        for line in lines(of: text) { try put("\(line)\n") }
    }

    private func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let indent = String(line.prefix { $0 == " " })
            let room = max(size.columns - 1 - indent.count, 1)
            return String(line.dropFirst(indent.count)).wrapped(to: room).map { "\(indent)\($0)" }
        }
    }

    /// Asks, and waits for the answer.
    ///
    /// - Parameter question: short; a colon follows.
    func ask(_ question: String) async throws -> FirstStart.Input {
        try put("\(question): ")
        return FirstStart.Input(line: try await typedLine())
    }

    /// Waits for Enter, at any time.
    func enter() async throws { _ = try await typedLine() }

    /// Rewrites the rows that this wrote before.
    ///
    /// - Parameter earlier: their number.
    func repaint(_ lines: [String], over earlier: Int) throws {
        let up = earlier > 0 ? "\u{1B}[\(earlier)A" : ""
        try put(up + lines.map { "\r\($0.prefix(max(size.columns - 1, 1)))\u{1B}[K\n" }.joined())
    }

    private func put(_ text: String) throws { try Output.write(text) }

    /// The terminal edits lines itself. Looked at in pauses, so that the task can be cancelled.
    private func typedLine() async throws -> String {
        while !SetupDialogue.editsLines || !Poll.isReadable(STDIN_FILENO, within: .zero) {
            try await Task.sleep(for: SetupDialogue.interval)
        }
        var bytes = [UInt8](repeating: 0, count: SetupDialogue.maximumLine)
        // Safe: at most the size of our own array.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { throw Closed() }
        rows = 0
        return String(
            String(decoding: bytes[..<count], as: UTF8.self).unicodeScalars.filter {
                $0.properties.generalCategory != .control
            }.map(Character.init))
    }

    /// Whether the terminal edits lines; a keypad that was tried may not have given it back yet.
    private static var editsLines: Bool {
        var mode = termios()
        // Safe: the call fills our own structure. A terminal that is gone has no modes, and is read to its end.
        return unsafe tcgetattr(STDIN_FILENO, &mode) != 0 || mode.c_lflag & tcflag_t(ICANON) != 0
    }
}
