// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The directories of a kiosk.
///
/// There are two, so that a copy of the one with the identities is worthless without the other: `state` holds the
/// sealed identities, `configuration` the settings, the trust list and the key that unseals the identities. Settings
/// may name another trust list, another key file and another directory of the audit log.
public struct KioskDirectories: Sendable, Equatable {
    /// The configuration of an installed kiosk.
    public static let systemConfiguration = "/etc/login-kiosk"
    /// Settings of the kiosk's maker or packager.
    public static let vendorConfiguration = "/usr/lib/login-kiosk"
    /// Settings until the machine is switched off.
    public static let runtimeConfiguration = "/run/login-kiosk"

    static let auditFolder = "audit"

    /// The directories with settings that apply together, the weakest first.
    ///
    /// - Parameter directory: of the configuration; one that a command was given is the only one.
    public static func layers(of directory: String) -> [String] {
        directory == systemConfiguration
            ? [vendorConfiguration, systemConfiguration, runtimeConfiguration] : [directory]
    }

    public var state: String
    public var configuration: String
    public var trustFile: String
    public var identityKeyFile: String
    /// The directory of the audit log.
    public var auditDirectory: String

    public init(state: String, configuration: String) {
        self.state = state
        self.configuration = configuration
        trustFile = SettingsFile.trustList.path(in: configuration)
        identityKeyFile = SettingsFile.identityKey.path(in: configuration)
        auditDirectory = "\(state)/\(KioskDirectories.auditFolder)"
    }

    public var identityDatabase: String { "\(state)/identities.sqlite" }
    /// The socket on which a running kiosk reports its status.
    public var statusSocket: String { "\(state)/status.sock" }
    /// The tag by which today's platform recognises this installation.
    public var deviceTag: String { "\(state)/device-tag" }
    /// The log of opened doors that version 0.1.0 kept.
    public var formerDoorLog: String { "\(state)/doors.jsonl" }

    /// The usual directory of the identities: the one that the service manager assigned (`STATE_DIRECTORY`,
    /// systemd.exec; of several the first), else the XDG base directory, else `~/.local/state`.
    ///
    /// - Parameter environment: the process's environment.
    /// - Returns: nil when there is neither an assigned directory nor a home.
    public static func usualState(in environment: [String: String]) -> String? {
        UsualDirectory.state.path(in: environment)
    }

    /// The usual directory of the configuration: the one that the service manager assigned (`CONFIGURATION_DIRECTORY`),
    /// else ``systemConfiguration`` if a kiosk is installed, so that every command uses that kiosk, else the XDG base
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
