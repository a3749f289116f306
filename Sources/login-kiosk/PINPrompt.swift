// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keypads
import KioskCore
import LoginValues

/// Asks for a PIN: on the terminal, or from the next line of a standard input that is none.
enum PINPrompt {
    /// A hint for the person, beside the output that a script reads.
    static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// - Returns: nil when the person left, or the line is no PIN.
    static func ask(_ prompt: String) async -> Pin? {
        if isatty(STDIN_FILENO) == 0 {
            if let line = SecretLines(descriptor: STDIN_FILENO).next() { return pin(from: line) }
        }
        guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else {
            say("login-kiosk: there is neither a line with the PIN nor a terminal to ask on\n")
            return nil
        }
        defer { try? terminal.close() }
        return await ask(prompt, on: terminal.fileDescriptor)
    }

    /// Asks twice on a terminal; a line of standard input is taken as it is.
    static func askTwice(_ prompt: String, again: String) async -> Pin? {
        let isTerminal = isatty(STDIN_FILENO) == 1
        while true {
            guard let first = await ask(prompt) else { return nil }
            guard isTerminal else { return first }
            guard let second = await ask(again) else { return nil }
            if first.matches(second) { return first }
            say("these were two different PINs\n")
        }
    }

    private static func pin(from line: SecretBytes) -> Pin? {
        guard let pin = Pin(line: line) else {
            say("login-kiosk: a PIN is 4 to 6 digits\n")
            return nil
        }
        return pin
    }

    private static func ask(_ prompt: String, on terminal: Int32) async -> Pin? {
        var entry = PinEntry()
        say(prompt)
        defer { say("\n") }
        for await press in ConsoleKeypad(input: terminal, output: terminal).presses() {
            if press.isBurst {
                say("\ntype the PIN key by key\n" + prompt)
                entry.removeAll()
                continue
            }
            switch press.key {
            case .digit(let digit): if entry.append(digit) { say("•") }
            case .clear: entry.removeAll()
            case .back:
                guard !entry.isEmpty else { return nil }
                entry.removeLast()
            case .enter:
                guard Pin.lengths.contains(entry.count) else {
                    say(" 4 to 6 digits\n" + prompt)
                    entry.removeAll()
                    continue
                }
                return Pin(entry)
            case .menu, .character: break
            }
        }
        return nil
    }
}
