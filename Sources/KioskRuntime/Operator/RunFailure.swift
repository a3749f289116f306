// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

/// Why a run for an operator or a script did not do what it was asked.
public struct RunFailure: Error, Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// An end that sessions at the kiosk have, too.
        case session(SessionOutcome)
        /// The user has identities at several backends, and none was named.
        case ambiguous(backends: [String])
        /// The registration waits for its mail, or for its PIN.
        case unfinished
        /// The registration code, activation token or verification code is wrong, used, or too old.
        case codeRefused
        /// The link is in a mail to another user.
        case codeOfAnotherUser
        /// Another mail is welcome at this time, in seconds since 1970-01-01 UTC.
        case mailTooSoon(Int64)
        /// The backend registers for a login page's session only, and none was given.
        case needsSession
        case pinLength(ClosedRange<Int>)
        /// The new PIN is the old one.
        case samePIN
        /// The store did not take the new PIN, and the old one goes on working.
        case pinNotStored
        /// The server's word on the old PIN did not arrive, and that one goes on working.
        case pinVerdictLost
        case alreadySigned
        /// The application's server wants another text signed than the one that was shown.
        case documentDiffers
        /// The application's server does not accept the signature; in its own word.
        case signatureRefused(String)
    }

    public let reason: Reason
    /// The SDK's name of what failed, such as `HTTP_SERVER_ERROR`; nil when nothing of it did.
    public let status: String?

    public init(_ reason: Reason, status: String? = nil) {
        self.reason = reason
        self.status = status
    }

    public init(_ outcome: SessionOutcome, status: String? = nil) { self.init(.session(outcome), status: status) }
}

extension RunFailure {
    /// The stable name for scripts.
    public var name: String {
        switch reason {
        case .session(let outcome): outcome.rawValue
        case .ambiguous: "ambiguousUser"
        case .unfinished: "unfinished"
        case .codeRefused: "codeRefused"
        case .codeOfAnotherUser: "codeOfAnotherUser"
        case .mailTooSoon: "mailTooSoon"
        case .needsSession: "needsSession"
        case .pinLength: "pinLength"
        case .samePIN: "samePIN"
        case .pinNotStored: "pinNotStored"
        case .pinVerdictLost: "pinVerdictLost"
        case .alreadySigned: "alreadySigned"
        case .documentDiffers: "documentDiffers"
        case .signatureRefused: "signatureRefused"
        }
    }

    /// By sysexits(3) where it has a fitting code.
    public var exitCode: Int32 {
        switch reason {
        case .session(let outcome): outcome.exitCode
        case .ambiguous, .needsSession: 64  // EX_USAGE
        case .pinLength, .samePIN, .codeOfAnotherUser, .alreadySigned: 65  // EX_DATAERR
        case .signatureRefused: 70  // EX_SOFTWARE
        case .pinNotStored: 74  // EX_IOERR
        case .mailTooSoon, .pinVerdictLost: 75  // EX_TEMPFAIL
        case .documentDiffers: 76  // EX_PROTOCOL
        case .codeRefused: 77  // EX_NOPERM
        case .unfinished: SessionOutcome.notVerified.exitCode
        }
    }
}
