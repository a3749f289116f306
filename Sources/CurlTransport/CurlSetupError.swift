// SPDX-License-Identifier: Apache-2.0

/// Why the transport did not start.
public struct CurlSetupError: Error, Sendable, CustomStringConvertible {
    /// What, where, what to do.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
