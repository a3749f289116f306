// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskCore
import KioskRuntime
import LoginValues

/// Where the commands for operators and scripts get a PIN from: the next line of standard input, or, when that is a
/// terminal, the person at it, key by key and without an echo.
enum PINPrompt {
    /// A hint for the person, beside the output that a script reads.
    static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Asks a person who first sees what the PIN is for.
    ///
    /// - Returns: nil when nobody gave one.
    static func read(for question: LoginQuestion) async -> Pin? {
        guard isatty(STDIN_FILENO) == 1 else { return nextLine() }
        say("Log in \(DisplayText(question.userID)) at \(question.service), domain \(question.domain)?\n")
        return await ask("PIN, or Backspace to decline: ")
    }

    /// Asks a person twice.
    ///
    /// - Returns: nil when nobody gave one, or the two differ.
    static func readNew() async -> Pin? {
        guard isatty(STDIN_FILENO) == 1 else { return nextLine() }
        guard let first = await ask("New PIN, 4 to 6 digits: "), let second = await ask("The same again: ") else {
            return nil
        }
        guard first.matches(second) else {
            say("\(Complaint.program): these were two different PINs\n")
            return nil
        }
        return second
    }

    private static func nextLine() -> Pin? {
        guard let line = SecretLines(descriptor: STDIN_FILENO).next() else {
            say("\(Complaint.program): there is no further line with a PIN on standard input\n")
            return nil
        }
        guard let pin = Pin(line: line) else {
            say("\(Complaint.program): a PIN is 4 to 6 digits\n")
            return nil
        }
        return pin
    }

    private static func ask(_ question: String) async -> Pin? {
        defer { say("\n") }
        return await PINTyping(question: question).pin()
    }
}
