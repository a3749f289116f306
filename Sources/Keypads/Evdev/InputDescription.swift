// SPDX-License-Identifier: Apache-2.0

/// An input device of this machine that can be a keypad.
public struct InputDescription: Sendable {
    public let node: String
    /// What stays the same after a restart: links, the best first.
    public let stableNames: [String]
    /// Nil when it cannot be asked.
    public let identity: InputIdentity?
    /// Why it cannot be used.
    public let problem: String?
}
