// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A QR code in view, as far as the machine may know it.
public struct CodeReading: Sendable, Equatable {
    public enum Verdict: Sendable, Equatable {
        /// A login code of a trusted service at this host and port.
        case login(domain: String)
        case refused(CodeRefusal)
    }

    public let digest: CodeDigest
    public let verdict: Verdict
    /// What the code asks for where it is a card of the operator's, and so no login code.
    public let card: ErrandCard?
    /// The e-mail address that is the text of the code.
    public let address: EmailAddress?
    /// What of the code may activate a registration.
    public let activation: ActivationReading?
    /// The text of the code, or why it cannot be signed; nil where nobody asked for a document, and for a login code, which
    /// is a secret.
    public let document: Result<DocumentText, DocumentTextError>?

    public init(
        digest: CodeDigest, verdict: Verdict, card: ErrandCard? = nil, address: EmailAddress? = nil,
        activation: ActivationReading? = nil, document: Result<DocumentText, DocumentTextError>? = nil
    ) {
        self.digest = digest
        self.verdict = verdict
        self.card = card
        self.address = address
        self.activation = activation
        self.document = document
    }
}
