// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A script of key presses.
///
///     # Comments and empty lines are ignored.
///     type alice@example.com    each character, digits as digits; spaces at the end are ignored
///     enter                     one of: enter clear back menu
///     wait 2.5                  seconds, up to 3600, with a point and up to three decimals
///
/// At most 1 MiB of UTF-8 text and 100 000 keys; lines end with LF or CR LF.
public struct KeyScript: Sendable {
    enum Action: Sendable, Hashable {
        case press(Key)
        case wait(Duration)
    }

    public static let maximumLength = 1 << 20
    public static let maximumActions = 100_000

    let actions: [Action]

    /// - Throws: the fault and its line, never quoting it: it may be a PIN.
    public init(_ text: String) throws(KeyScriptError) {
        guard text.utf8.count <= KeyScript.maximumLength else { throw KeyScriptError(.tooLong, line: nil) }
        var actions: [Action] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            actions += try KeyScript.actions(of: line, number: index + 1)
            guard actions.count <= KeyScript.maximumActions else { throw KeyScriptError(.tooLong, line: index + 1) }
        }
        self.actions = actions
    }

    private static func actions(of line: Substring, number: Int) throws(KeyScriptError) -> [Action] {
        let words = line.split(separator: " ", maxSplits: 1)
        guard let verb = words.first, !verb.hasPrefix("#") else { return [] }
        let rest = words.count == 2 ? words[1] : ""
        switch verb {
        case "type":
            let text = trimmed(rest)
            guard !text.isEmpty else { throw KeyScriptError(.nothingToType, line: number) }
            var keys: [Action] = []
            for character in text {
                guard let byte = character.asciiValue, (0x20...0x7E).contains(byte) else {
                    throw KeyScriptError(.notASCII, line: number)
                }
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                keys.append(.press(isDigit ? .digit(byte - UInt8(ascii: "0")) : .character(character)))
            }
            return keys
        case "wait": return [.wait(try seconds(trimmed(rest), number: number))]
        case "enter", "clear", "back", "menu":
            guard trimmed(rest).isEmpty || trimmed(rest).hasPrefix("#") else {
                throw KeyScriptError(.textBehindKey, line: number)
            }
            let keys: [Substring: Key] = ["enter": .enter, "clear": .clear, "back": .back, "menu": .menu]
            return keys[verb].map { [.press($0)] } ?? []
        default: throw KeyScriptError(.unknownAction, line: number)
        }
    }

    private static func seconds(_ text: Substring, number: Int) throws(KeyScriptError) -> Duration {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : "0"
        guard let first = parts.first, (1...4).contains(first.utf8.count), (1...3).contains(decimals.utf8.count),
            first.utf8.allSatisfy(isDigit), decimals.utf8.allSatisfy(isDigit),
            let whole = Int(first),
            let fraction = Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count)),
            whole * 1000 + fraction <= 3_600_000
        else { throw KeyScriptError(.notSeconds, line: number) }
        return .milliseconds(whole * 1000 + fraction)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
