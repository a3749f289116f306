// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import LinuxSystem

/// Tells on standard error that a command cannot do its work: what and where, and a hint line.
public enum Complaint {
    /// The name of the program that complains, as it was started.
    public static let program =
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "login-kiosk"

    /// Prints `PROGRAM: message` and `hint: ...`.
    ///
    /// - Returns: the error to throw, which ends the program with that status and prints nothing more.
    public static func make(_ message: String, hint: String? = nil, status: ExitStatus) -> ExitCode {
        say(message, hint: hint)
        return status.error
    }

    /// A file that cannot be used. One that other users could change or read is a mistake of the machine's setup.
    ///
    /// - Parameter status: of any other reason.
    public static func make(_ fault: FileFault, status: ExitStatus = .noInput) -> ExitCode {
        make("\(fault)", hint: fault.hint, status: ExitStatus(fault, else: status))
    }

    /// Prints `PROGRAM: message` and `hint: ...`, for a command that goes on, or that has an exit code of its own.
    public static func say(_ message: String, hint: String? = nil) {
        var text = "\(program): \(message)\n"
        if let hint { text += "hint: \(hint)\n" }
        StandardStream.error.write(text)
    }
}

extension CompanionProgram {
    /// - Throws: a complaint when it is not there, or another user could have changed it.
    public func installedPath() throws -> String {
        let found: String?
        do throws(FileFault) { found = try path() } catch { throw Complaint.make(error) }
        guard let found else {
            throw Complaint.make(
                "\(name) is not installed beside this program", hint: remedy, status: .unavailable)
        }
        return found
    }
}
