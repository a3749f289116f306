// SPDX-License-Identifier: Apache-2.0

/// A GPIO chip of this machine.
public struct ChipDescription: Sendable {
    public let path: String
    /// What its driver calls it, the same after every start; nil when it cannot be asked.
    public let label: String?
    public let lineCount: Int
    /// Why it cannot be used.
    public let problem: String?
}
