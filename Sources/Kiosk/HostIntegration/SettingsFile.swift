// SPDX-License-Identifier: Apache-2.0

/// Names of the files and folders in a kiosk's directory of settings, and in the folder of a profile.
public enum SettingsFile: String, Sendable {
    case configuration = "config.yaml"
    case dropIns = "config.d"
    case trustList = "trusted"
    case operatorKey = "operator.pub"
    case identityKey = "identities.key"
    case kioskKey = "kiosk.key"
    case profiles = "profile"
    /// The files of a restore until they are activated.
    case restore
    /// The settings of a profile.
    case profileSettings = "settings.yaml"
    /// The fleet's key in a profile, and as a credential of the service manager.
    case fleetKey = "fleet.key"

    /// The operator's own files, besides drop-ins and files that settings name.
    public static let ofOperator = [SettingsFile.configuration, .trustList, .operatorKey]

    public func path(in folder: String) -> String { "\(folder)/\(rawValue)" }
}
