// SPDX-License-Identifier: Apache-2.0

/// A door as a person chooses it.
public struct DoorPlace: Hashable, Sendable {
    /// What the operator calls it.
    public let name: String
    /// The line of the trust list that allows the server which is asked.
    public let domain: String

    public init(name: String, domain: String) {
        self.name = name
        self.domain = domain
    }
}
