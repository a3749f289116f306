// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the configuration, where, and what to do about it.
public struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let origin: ConfigurationOrigin
    /// What is wrong.
    public let message: String

    public init(_ message: String, at origin: ConfigurationOrigin) {
        self.origin = origin
        self.message = message
    }

    public var description: String { "\(origin): \(message)" }
}
