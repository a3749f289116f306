// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem
import LoginValues

/// The source of secret codes for commands: lines of standard input or of a file, never arguments, which every user of
/// the machine could read.
enum SecretPrompt {
    /// The limit, in milliseconds, for a person who was asked for a line and has left.
    private static let patience: Int32 = 300_000

    /// Asks for the next line of standard input.
    ///
    /// - Returns: nil when there is none.
    static func line(_ question: String) -> SecretBytes? {
        if PINPrompt.isAttended {
            PINPrompt.say(question)
            var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // Safe: the call writes to the one structure that it is lent.
            guard unsafe poll(&wait, 1, patience) > 0 else { return nil }
        }
        return SecretLines(descriptor: STDIN_FILENO).next()
    }

    /// The text of a QR code.
    ///
    /// - Parameter file: a file with the text as its first line; nil takes the next line of standard input.
    static func symbol(file: String?) throws -> SecretBytes {
        guard let file else {
            guard let line = line("QR code's text: ") else {
                throw Complaint.make(
                    "there is no QR text on standard input", hint: "give it as the first line, or name a --qr-file",
                    status: .dataError)
            }
            return line
        }
        let opened: OpenedFile
        do throws(FileFault) { opened = try OpenedFile.open(file) } catch { throw Complaint.make(error) }
        guard let line = SecretLines(descriptor: opened.descriptor).next() else {
            throw Complaint.make("\(file): has no QR text in its first line", status: .dataError)
        }
        return line
    }
}
