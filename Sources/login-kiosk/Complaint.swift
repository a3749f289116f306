// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LinuxSystem

/// What a command says on standard error when it cannot do its work: what and where, and a hint line.
enum Complaint {
    /// Whose complaint it is.
    static let program = "login-kiosk"

    /// Prints `login-kiosk: message` and `hint: ...`.
    ///
    /// - Returns: the error to throw, which ends the program with that status and prints nothing more.
    static func make(_ message: String, hint: String? = nil, status: ExitStatus) -> ExitCode {
        say(message, hint: hint)
        return status.error
    }

    /// A file that cannot be used. One that other users could change or read is a mistake of the machine's setup.
    ///
    /// - Parameter status: of any other reason.
    static func make(_ fault: FileFault, status: ExitStatus = .noInput) -> ExitCode {
        make("\(fault)", hint: fault.hint, status: fault.isExposure ? .configuration : status)
    }

    /// Prints `login-kiosk: message` and `hint: ...`, for a command that goes on, or that has an exit code of its own.
    static func say(_ message: String, hint: String? = nil) {
        var text = "\(program): \(message)\n"
        if let hint { text += "hint: \(hint)\n" }
        StandardStream.error.write(text)
    }
}
