// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import LoginValues

/// The questions to a person while an identity is registered.
public struct RegistrationQuestions: Sendable {
    public enum Code: Sendable, Hashable {
        /// A registration code, or an activation token; a verification's link is accepted too.
        case registration
        /// The content of a verification's mail.
        case verification(MailContent)
    }

    public enum Activation: Sendable, Hashable {
        /// A mail was sent; the person has to follow its link.
        case mailSent
        /// A mail was sent; its link or code is asked for next.
        case verificationSent
        /// The backend reported that the link was not followed yet.
        case notYet
    }

    let newPIN: NewPINChoice
    let code: @Sendable (_ kind: Code, _ wasRefused: Bool) async -> SecretBytes?
    let activation: @Sendable (Activation) async -> Bool

    /// - Parameters:
    ///   - code: UTF-8; nil leaves it for later.
    ///   - activation: waits until it makes sense to ask the backend; false leaves it for later.
    public init(
        newPIN: NewPINChoice, code: @escaping @Sendable (_ kind: Code, _ wasRefused: Bool) async -> SecretBytes?,
        activation: @escaping @Sendable (Activation) async -> Bool
    ) {
        self.newPIN = newPIN
        self.code = code
        self.activation = activation
    }
}
