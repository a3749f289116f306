// SPDX-License-Identifier: Apache-2.0

/// The default directory of a program for one kind of files.
public struct UsualDirectory: Sendable {
    private let assigned: String
    private let base: String
    private let belowHome: String

    public static let state = UsualDirectory(
        assigned: "STATE_DIRECTORY", base: "XDG_STATE_HOME", belowHome: ".local/state")
    public static let configuration = UsualDirectory(
        assigned: "CONFIGURATION_DIRECTORY", base: "XDG_CONFIG_HOME", belowHome: ".config")

    /// Whether the service manager assigns the directory (systemd.exec).
    ///
    /// - Parameter environment: the process's environment.
    public func isAssigned(in environment: [String: String]) -> Bool {
        UsualDirectory.value(of: assigned, in: environment) != nil
    }

    /// The first directory that the service manager assigned; else `login-kiosk` in the XDG base directory; else in
    /// its default below the home directory.
    ///
    /// - Returns: nil when there is none of these.
    public func path(in environment: [String: String]) -> String? {
        if let directories = UsualDirectory.value(of: assigned, in: environment) {
            return directories.split(separator: ":").first.map(String.init)
        }
        if let directory = UsualDirectory.value(of: base, in: environment), directory.hasPrefix("/") {
            return "\(directory)/login-kiosk"
        }
        return UsualDirectory.value(of: "HOME", in: environment).map { "\($0)/\(belowHome)/login-kiosk" }
    }

    private static func value(of variable: String, in environment: [String: String]) -> String? {
        environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}
