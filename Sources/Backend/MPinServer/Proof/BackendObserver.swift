// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// Receives the events of a backend. It must not block, because a login waits for it.
package protocol BackendObserver: Sendable {
    /// A proof of a PIN was checked, and its verdict is written.
    func checked(_ proof: CheckedProof)
    /// A D-TA that is a process of its own was asked for something.
    /// - Parameters:
    ///   - number: 1 or 2.
    ///   - answers: whether it gave a valid answer.
    func asked(authority number: Int, answers: Bool)
    /// An operator has changed something on the operator's page.
    func acted(_ deed: OperatorDeed)
    /// A person has revoked an identity of his own, by the link of a mail.
    func revoked(userID: String, fingerprint: String)
    /// A mail was handed to the mail server, or not.
    func mailed(_ kind: MailKind, _ outcome: MailOutcome)
    /// Connections get a certificate from now on.
    func certified(until end: WallTime)
}

extension BackendObserver {
    package func asked(authority number: Int, answers: Bool) {}
    package func acted(_ deed: OperatorDeed) {}
    package func revoked(userID: String, fingerprint: String) {}
    package func mailed(_ kind: MailKind, _ outcome: MailOutcome) {}
    package func certified(until end: WallTime) {}
}

/// An operator's deed on the operator's page, for the audit log.
package struct OperatorDeed: Sendable, Hashable {
    /// `revoke`, `unblock`, `renew` or `activate`.
    package let action: String
    /// The user whose identity or registration it was done to.
    package let userID: String
    /// The identity's fingerprint, as in ``BackendUser``.
    package let fingerprint: String

    package init(action: String, userID: String, fingerprint: String) {
        self.action = action
        self.userID = userID
        self.fingerprint = fingerprint
    }
}

/// A verdict, for the audit log.
package struct CheckedProof: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable { case login, signature }

    package enum Verdict: String, Sendable, CaseIterable {
        case right, wrongPIN
        /// The identity was blocked before, or is from now on.
        case blocked
        /// The identity was revoked meanwhile.
        case unknown
        /// Not checked: the browser is at another place, and the operator refuses such logins.
        case elsewhere
    }

    package let kind: Kind
    package let verdict: Verdict
    /// The identity's user; nil for a removed identity.
    package let userID: String?
    /// The location of the browser to log in, seen from the device; nil for none.
    package let browser: BrowserLocation?

    init(_ kind: Kind, _ verdict: Verdict, of identity: RegisteredIdentity?, browser: BrowserLocation? = nil) {
        self.browser = browser
        self.kind = kind
        self.verdict = verdict
        userID = identity?.userID
    }
}

extension CheckedProof.Verdict {
    /// - Parameter identity: the identity after the verdict; nil when it was removed meanwhile.
    init(_ verdict: LoginVerdict, _ identity: RegisteredIdentity?) {
        guard let identity else {
            self = .unknown
            return
        }
        self = identity.isBlocked ? .blocked : verdict.isRight ? .right : .wrongPIN
    }
}
