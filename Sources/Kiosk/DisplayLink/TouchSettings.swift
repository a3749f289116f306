// SPDX-License-Identifier: Apache-2.0

/// The settings of keyboards on a panel.
public struct TouchSettings: Sendable, Hashable {
    /// Whether the digits of a PIN pad are in another order for each entry.
    public var shufflesPad: Bool
    /// Domains of e-mail addresses, each a key.
    public var domains: [String]

    public init(shufflesPad: Bool = false, domains: [String] = []) {
        self.shufflesPad = shufflesPad
        self.domains = domains
    }
}
