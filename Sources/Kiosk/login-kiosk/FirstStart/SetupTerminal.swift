// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import KioskPorts
import LinuxSystem
import Signage

/// Questions and answers at the terminal of standard input and output, of any size.
actor SetupTerminal: SetupDialogue {
    private static let interval = Duration.milliseconds(30)
    /// Longer than any answer.
    private static let maximumLine = 1024
    /// The largest number of rows of a picture: more do not help to aim.
    private static let maximumRows = 18

    private var words: PromptCatalogue
    /// The rows since the person last typed a line: more than a screen would scroll away unread.
    private var rows = 0
    /// Whether the terminal moves its cursor.
    private let moves = ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false
    /// The rows of the picture that stands above the cursor.
    private var painted = 0
    private var finding: Prompt?

    init(_ words: PromptCatalogue) { self.words = words }

    nonisolated var hasKioskKeys: Bool { false }

    private var size: ScreenSize { ConsoleScreen.size(of: STDOUT_FILENO) }

    func speak(_ language: String) { words = Languages(first: language)?.own ?? words }

    func begin(_ title: PromptKey, _ number: Int, of count: Int) async throws {
        try await say("\n\(number)/\(count) \(words.text(Prompt(title)))")
    }

    func say(_ sentence: Prompt) async throws { try await say(words.text(sentence)) }

    /// Shows a paragraph, and waits for Enter where the screen is full.
    private func say(_ text: String) async throws {
        for line in lines(of: text) {
            // The question takes the last row.
            if rows >= max(size.rows - 1, 1) {
                try put("-- Enter --")
                if FirstStart.Input(line: try await typedLine()) == .left { throw SetupClosed() }
            }
            try put("\(line)\n")
            rows += 1
        }
    }

    private func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let indent = String(line.prefix { $0 == " " })
            let room = max(size.columns - 1 - indent.count, 1)
            return String(line.dropFirst(indent.count)).wrapped(to: room).map { "\(indent)\($0)" }
        }
    }

    func ask(_ question: SetupQuestion) async throws -> FirstStart.Input {
        switch question {
        case .confirmation(nil): return try await answer("Enter")
        case .confirmation(let sentence?):
            try await say(Prompt(sentence))
            return try await answer("Enter, r, s, b")
        case .offers(let offers, let current): return try await pick(offers, current)
        case .text, .digits: return try await answer("..., Enter")
        case .agreement(let sentence):
            try await say(Prompt(sentence))
            return try await answer("\(FirstStart.agreement), b")
        }
    }

    /// Shows numbered offers and waits for a number of theirs, or for any other input.
    private func pick(_ offers: [Prompt], _ current: Int?) async throws -> FirstStart.Input {
        for (index, offer) in offers.enumerated() {
            try await say("\(index == current ? "*" : " ") \(index + 1) \(words.text(offer))")
        }
        while true {
            let input = try await answer(offers.count == 1 ? "Enter" : "1-\(offers.count), Enter")
            switch input {
            case .number(let number) where (1...offers.count).contains(number): return input
            case .number, .text: try await say(Prompt(.guideChooseNumber, [.number: "\(offers.count)"]))
            default: return input
            }
        }
    }

    private func answer(_ keys: String) async throws -> FirstStart.Input {
        try put("\(keys): ")
        return FirstStart.Input(line: try await typedLine())
    }

    func watch(isCamera: Bool) async throws {
        (painted, finding) = (0, nil)
        _ = try await typedLine()
    }

    func note(_ finding: Prompt) throws {
        guard finding != self.finding else { return }
        self.finding = finding
        painted = 0
        for line in lines(of: words.text(finding)) { try put("\(line)\n") }
    }

    func show(_ picture: PreviewPicture, focus: Int) throws {
        guard moves else { return }
        let rows = min(size.rows - 3, SetupTerminal.maximumRows)
        // A character is twice as high as wide.
        let columns = min(size.columns - 1, rows * 2 * PreviewPicture.width / PreviewPicture.height)
        guard rows > 0, columns > 0 else { return }
        let drawn = CharacterPicture(picture, columns: columns, rows: rows)
        let lines = drawn.lines + [words.text(Prompt(.guideFocus, [.number: "\(focus)"]))]
        let up = painted > 0 ? "\u{1B}[\(painted)A" : ""
        try put(up + lines.map { "\r\($0.prefix(max(size.columns - 1, 1)))\u{1B}[K\n" }.joined())
        painted = lines.count
    }

    private func put(_ text: String) throws { try Output.write(text) }

    /// The terminal edits lines itself. Looked at in pauses, so that the task can be cancelled.
    private func typedLine() async throws -> String {
        while !SetupTerminal.editsLines || !Poll.isReadable(STDIN_FILENO, within: .zero) {
            try await Task.sleep(for: SetupTerminal.interval)
        }
        var bytes = [UInt8](repeating: 0, count: SetupTerminal.maximumLine)
        // Safe: at most the size of our own array.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { throw SetupClosed() }
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
