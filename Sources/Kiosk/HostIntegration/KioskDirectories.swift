// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Where a kiosk keeps its files.
///
/// Two directories, so that a copy of the one with the identities is worth nothing without the other: `state` holds the
/// sealed identities, `configuration` the settings, the trust list and the key that unseals the identities. Settings
/// may name other files for the latter two.
public struct KioskDirectories: Sendable, Equatable {
    /// Where an installed kiosk has its configuration.
    public static let systemConfiguration = "/etc/login-kiosk"
    /// The directory of the settings that the kiosk's maker or packager chose.
    public static let vendorConfiguration = "/usr/lib/login-kiosk"
    /// The directory of the settings that hold until the machine is switched off.
    public static let runtimeConfiguration = "/run/login-kiosk"

    /// The directories whose settings count together, the weakest first.
    ///
    /// - Parameter directory: of the configuration; one that a command was given stands alone.
    public static func layers(of directory: String) -> [String] {
        directory == systemConfiguration
            ? [vendorConfiguration, systemConfiguration, runtimeConfiguration] : [directory]
    }

    public var state: String
    public var configuration: String
    public var trustFile: String
    public var identityKeyFile: String
    /// The directory with the record of who did what.
    public var auditRecord: String

    public init(state: String, configuration: String) {
        self.state = state
        self.configuration = configuration
        trustFile = "\(configuration)/trusted"
        identityKeyFile = "\(configuration)/identities.key"
        auditRecord = "\(state)/audit"
    }

    public var identityDatabase: String { "\(state)/identities.sqlite" }
    /// Where a kiosk that runs tells its operator how it is.
    public var statusSocket: String { "\(state)/status.sock" }
    /// The mark by which today's platform knows this installation again.
    public var deviceTag: String { "\(state)/device-tag" }
    /// The record of which user opened which door, and when.
    public var doorRecord: String { "\(state)/doors.jsonl" }

    /// The usual place of the identities: what the service manager assigned (`STATE_DIRECTORY`, systemd.exec; of
    /// several the first), else the XDG base directory, else `~/.local/state`.
    ///
    /// - Parameter environment: the process's environment.
    /// - Returns: nil when there is neither an assigned directory nor a home.
    public static func usualState(in environment: [String: String]) -> String? {
        UsualDirectory.state.path(in: environment)
    }

    /// The usual place of the configuration: what the service manager assigned (`CONFIGURATION_DIRECTORY`), else
    /// ``systemConfiguration`` where a kiosk is installed, so that every command means that kiosk, else the XDG base
    /// directory, else `~/.config`.
    ///
    /// - Parameters:
    ///   - environment: the process's environment.
    ///   - isInstalled: whether there is a `config.yaml` in one of the layers of ``systemConfiguration``.
    /// - Returns: nil when there is none of these.
    public static func usualConfiguration(in environment: [String: String], isInstalled: Bool) -> String? {
        if isInstalled, !UsualDirectory.configuration.isAssigned(in: environment) { return systemConfiguration }
        return UsualDirectory.configuration.path(in: environment)
    }
}
