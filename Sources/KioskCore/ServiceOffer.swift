// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// What a relying party's `/service` says about itself.
public struct ServiceOffer: Sendable, Equatable {
    public let name: DisplayText
    public let backendURL: WebAddress
    public let rpsPrefix: String

    public init(name: DisplayText, backendURL: WebAddress, rpsPrefix: String) {
        self.name = name
        self.backendURL = backendURL
        self.rpsPrefix = rpsPrefix
    }
}
