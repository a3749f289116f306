// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A QR code in view, as far as the machine may know it.
public struct CodeReading: Sendable, Equatable {
    public enum Verdict: Sendable, Equatable {
        /// A login code of a trusted service, which the trust list knows by this name.
        case login(domain: String)
        case refused(CodeRefusal)
    }

    public let digest: CodeDigest
    public let verdict: Verdict
    /// The e-mail address that is the text of the code.
    public let address: EmailAddress?

    public let activation: ActivationReading?

    public init(
        digest: CodeDigest, verdict: Verdict, address: EmailAddress? = nil, activation: ActivationReading? = nil
    ) {
        self.digest = digest
        self.verdict = verdict
        self.address = address
        self.activation = activation
    }
}
