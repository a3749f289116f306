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
    static let longestWait: Duration = .seconds(3600)

    private static let namedKeys: [Substring: Key] = ["enter": .enter, "clear": .clear, "back": .back, "menu": .menu]

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
        let rest = words.count == 2 ? trimmed(words[1]) : ""
        switch verb {
        case "type":
            guard !rest.isEmpty else { throw KeyScriptError(.nothingToType, line: number) }
            let keys = rest.compactMap(key(typing:))
            guard keys.count == rest.count else { throw KeyScriptError(.notASCII, line: number) }
            return keys.map { .press($0) }
        case "wait":
            guard let duration = seconds(rest) else { throw KeyScriptError(.notSeconds, line: number) }
            return [.wait(duration)]
        default:
            guard let key = namedKeys[verb] else { throw KeyScriptError(.unknownAction, line: number) }
            guard rest.isEmpty || rest.hasPrefix("#") else { throw KeyScriptError(.textBehindKey, line: number) }
            return [.press(key)]
        }
    }

    /// Nil for a character other than printable ASCII.
    private static func key(typing character: Character) -> Key? {
        guard let byte = character.asciiValue, (0x20...0x7E).contains(byte) else { return nil }
        return isDigit(byte) ? .digit(byte - UInt8(ascii: "0")) : .character(character)
    }

    /// Nil for anything but up to four digits and three decimals, and for more than the longest wait.
    private static func seconds(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, decimals) = (parts[0], parts.count == 2 ? parts[1] : "0")
        guard (1...4).contains(whole.utf8.count), (1...3).contains(decimals.utf8.count),
            (whole + decimals).utf8.allSatisfy(isDigit),
            let milliseconds = Int(whole + decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
        else { return nil }
        let duration = Duration.milliseconds(milliseconds)
        return duration <= longestWait ? duration : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
