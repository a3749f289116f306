// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The user to be registered, and the way to do it.
public struct Enrolment: Sendable {
    /// Sent as it is.
    let userID: String
    /// The login page's session that the registration belongs to, where the backend wants one.
    let accessCode: AccessCode?
    /// Whether a code or a token replaces the mail.
    let usesCode: Bool
    /// Whether a mail is sent although one is on its way.
    let sendsAgain: Bool

    public init(userID: String, accessCode: AccessCode? = nil, usesCode: Bool = false, sendsAgain: Bool = false) {
        self.userID = userID
        self.accessCode = accessCode
        self.usesCode = usesCode
        self.sendsAgain = sendsAgain
    }
}
