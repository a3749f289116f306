// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The user to register, and the way to do it.
public struct Enrolment: Sendable {
    /// Sent unchanged.
    let userID: String
    /// The login page's session for the registration, if the backend wants one.
    let accessCode: AccessCode?
    /// Whether a code or a token replaces the mail.
    let usesCode: Bool
    /// Whether to send another mail although one was sent.
    let sendsAgain: Bool

    public init(userID: String, accessCode: AccessCode? = nil, usesCode: Bool = false, sendsAgain: Bool = false) {
        self.userID = userID
        self.accessCode = accessCode
        self.usesCode = usesCode
        self.sendsAgain = sendsAgain
    }
}
