// SPDX-License-Identifier: Apache-2.0

/// A setting's value and where it comes from.
public struct ConfiguredSetting: Sendable, Equatable {
    /// The setting's name, without `*`.
    public let name: String
    /// A flag is `true` or `false`.
    public let value: String
    public let origin: ConfigurationOrigin
}
