// SPDX-License-Identifier: Apache-2.0

/// The source of a setting's value.
public enum ConfigurationOrigin: Sendable, Equatable, CustomStringConvertible {
    /// No source: the kiosk's default.
    case standard
    /// - Parameter line: counted from 1; nil for the file as a whole.
    case file(path: String, line: Int?)
    /// A credential from the service manager.
    case credential(path: String)
    /// The variable's name.
    case environment(String)
    /// The option's name.
    case commandLine(String)

    public var description: String {
        switch self {
        case .standard: "default"
        case .file(let path, let line?): "\(path):\(line)"
        case .file(let path, nil), .credential(let path): path
        case .environment(let variable): "$\(variable)"
        case .commandLine(let option): option
        }
    }
}

/// A fault in the configuration, with its place and a remedy.
public struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let origin: ConfigurationOrigin
    /// The description of the fault.
    public let message: String

    public init(_ message: String, at origin: ConfigurationOrigin) {
        self.origin = origin
        self.message = message
    }

    public var description: String { "\(origin): \(message)" }
}
