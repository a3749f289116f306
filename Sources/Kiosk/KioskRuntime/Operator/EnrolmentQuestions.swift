// SPDX-License-Identifier: Apache-2.0

public import LoginValues
public import MPinClient

/// The questions to a person while an identity is registered.
public struct EnrolmentQuestions: Sendable {
    public enum Code: Sendable, Hashable {
        /// One that another device made, or an activation token; a verification's link does as well.
        case registration
        /// The content of a verification's mail: its link, or its code.
        case verification(VerificationStart.Method)
    }

    public enum Activation: Sendable, Hashable {
        /// The link in the mail is to be followed.
        case mailSent
        /// The link in the mail, or the code, is asked for next.
        case verificationSent
        /// The backend was asked, and the link in the mail was not followed yet.
        case notYet
    }

    let newPIN: NewPINChoice
    let code: @Sendable (_ kind: Code, _ wasRefused: Bool) async -> SecretBytes?
    let activation: @Sendable (Activation) async -> Bool

    /// - Parameters:
    ///   - code: UTF-8; nil leaves it for later.
    ///   - activation: waits until asking the backend makes sense; false leaves it for later.
    public init(
        newPIN: NewPINChoice, code: @escaping @Sendable (_ kind: Code, _ wasRefused: Bool) async -> SecretBytes?,
        activation: @escaping @Sendable (Activation) async -> Bool
    ) {
        self.newPIN = newPIN
        self.code = code
        self.activation = activation
    }
}
