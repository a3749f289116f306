// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// What a relying party's `/service` says about itself.
public struct ServiceOffer: Sendable, Equatable {
    public let name: DisplayText
    public let backendURL: WebAddress
    public let rpsPrefix: String
    /// The service that named the backend; nil where the configuration does.
    public let namedBy: Origin?

    public init(name: DisplayText, backendURL: WebAddress, rpsPrefix: String, namedBy: Origin?) {
        self.name = name
        self.backendURL = backendURL
        self.rpsPrefix = rpsPrefix
        self.namedBy = namedBy
    }
}
