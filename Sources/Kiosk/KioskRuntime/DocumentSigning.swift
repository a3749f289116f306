// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import LoginValues
public import MPinClient

/// The parts of signing beyond the SDK.
public struct DocumentSigning: Sendable {
    /// The documents that the operator keeps ready, in the order of their numbers.
    public let templates: [SigningTemplate]
    /// The server that makes the hash and checks the signature, for the service that the person chose.
    public let application: @Sendable (_ service: WebAddress) -> RelyingPartyApplication

    public init(
        templates: [SigningTemplate] = [],
        application: @escaping @Sendable (_ service: WebAddress) -> RelyingPartyApplication
    ) {
        self.templates = templates
        self.application = application
    }
}
