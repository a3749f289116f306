// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import LinuxSystem

/// Reports on standard error that a command failed: the fault, its place, and a line with a hint.
public enum Complaint {
    /// The name under which the program was started.
    public static let program =
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "login-kiosk"

    /// Prints `PROGRAM: message` and `hint: ...`.
    ///
    /// - Returns: the error to throw, which ends the program with that status and prints nothing more.
    public static func make(_ message: String, hint: String? = nil, status: ExitStatus) -> ExitCode {
        say(message, hint: hint)
        return status.error
    }

    /// Reports a file that cannot be used. If other users could change or read it, the machine's setup is wrong.
    ///
    /// - Parameter status: for any other reason.
    public static func make(_ fault: FileFault, status: ExitStatus = .noInput) -> ExitCode {
        make("\(fault)", hint: fault.hint, status: ExitStatus(fault, else: status))
    }

    /// Prints `PROGRAM: message` and `hint: ...`, for a command that continues, or that has an exit code of its own.
    public static func say(_ message: String, hint: String? = nil) {
        var text = "\(program): \(message)\n"
        if let hint { text += "hint: \(hint)\n" }
        StandardStream.error.write(InstalledPages.located(in: text))
    }
}

extension CompanionProgram {
    /// - Throws: a complaint when it is missing, or another user could have changed it.
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
