// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import LoginValues
public import MPinClient

/// The parts of signing that the SDK does not have.
public struct DocumentSigning: Sendable {
    /// The operator's documents, in the order of their numbers.
    public let templates: [SigningTemplate]
    /// The server that makes the hash and checks the signature for the chosen service.
    public let application: @Sendable (_ service: WebAddress) -> RelyingPartyApplication

    public init(
        templates: [SigningTemplate] = [],
        application: @escaping @Sendable (_ service: WebAddress) -> RelyingPartyApplication
    ) {
        self.templates = templates
        self.application = application
    }
}
