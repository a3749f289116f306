// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues

/// Reads a PIN from the next line of standard input.
enum PINPrompt {
    /// A hint for the person, beside the output that a script reads.
    static func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// - Returns: nil when there is no further line, or the line is no PIN.
    static func read() -> Pin? {
        guard isatty(STDIN_FILENO) == 0 else {
            say("login-kiosk: the PIN is read from standard input, and a terminal would show it\n")
            return nil
        }
        guard let line = SecretLines(descriptor: STDIN_FILENO).next() else { return nil }
        return pin(from: line)
    }

    private static func pin(from line: SecretBytes) -> Pin? {
        guard let pin = Pin(line: line) else {
            say("login-kiosk: a PIN is 4 to 6 digits\n")
            return nil
        }
        return pin
    }
}
