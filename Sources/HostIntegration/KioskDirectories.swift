// SPDX-License-Identifier: Apache-2.0

/// Where a kiosk keeps its files.
///
/// Two directories, so that a copy of the one with the identities is worth nothing without the other: `state` holds the
/// sealed identities, `configuration` the trust list and the key that unseals them.
public struct KioskDirectories: Sendable, Equatable {
    public var state: String
    public var configuration: String

    public init(state: String, configuration: String) {
        self.state = state
        self.configuration = configuration
    }

    /// The usual places: what the service manager assigned (`STATE_DIRECTORY`, `CONFIGURATION_DIRECTORY`, systemd.exec),
    /// else the XDG base directories, else `~/.local/state` and `~/.config`.
    ///
    /// - Parameter environment: the process's environment.
    /// - Returns: nil when there is neither an assigned directory nor a home.
    public static func usual(in environment: [String: String]) -> KioskDirectories? {
        func place(assigned: String, base: String, below home: String) -> String? {
            if let directory = value(of: assigned) { return directory }
            if let directory = value(of: base), directory.hasPrefix("/") { return "\(directory)/login-kiosk" }
            return value(of: "HOME").map { "\($0)/\(home)/login-kiosk" }
        }
        func value(of variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }

        guard let state = place(assigned: "STATE_DIRECTORY", base: "XDG_STATE_HOME", below: ".local/state"),
            let configuration = place(assigned: "CONFIGURATION_DIRECTORY", base: "XDG_CONFIG_HOME", below: ".config")
        else { return nil }
        return KioskDirectories(state: state, configuration: configuration)
    }

    public var trustFile: String { "\(configuration)/trusted" }
    public var identityKeyFile: String { "\(configuration)/identities.key" }
    public var identityDatabase: String { "\(state)/identities.sqlite" }
}
