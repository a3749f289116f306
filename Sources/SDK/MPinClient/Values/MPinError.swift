// SPDX-License-Identifier: Apache-2.0

/// Why a call of the SDK did not do what it was asked.
public struct MPinError: Error, Sendable, Equatable {
    /// The kind of failure, by which a caller decides.
    public internal(set) var kind: Kind
    /// The number of the older SDKs, for callers that were written for them; never ``Status/ok``. It tells the cause
    /// where the kind tells the consequence: a login whose outcome is unknown for want of a reply is
    /// ``Status/networkError``.
    public internal(set) var status: Status
    /// Text for the log: the failure, its place and the remedy. It names hosts and requests, never a secret. Of a
    /// reply's content it has only the reason why an application's own server refused a login, cleaned and cut.
    public internal(set) var detail: String
    /// The reply's status code when one decided; for the log.
    public internal(set) var httpStatus: Int?
    /// Whether the login may have happened all the same: pass 2 or the final call was sent and no answer, or none that
    /// can be understood, came back. Nothing may be retried blindly then. The kind is ``Kind/outcomeUnknown``, unless
    /// the identity was lost with it.
    public internal(set) var outcomeIsUnknown: Bool
    /// Whether the identity is ``UserState/blocked`` now: the server has counted one wrong PIN too many, or refuses the
    /// identity for good. Over plain http only the verdict of a login says so.
    public internal(set) var isFinalRefusal = false
    /// The server's own word, where it sent a known one. Later dialects do.
    public internal(set) var refusal: ServerRefusal?

    /// - Parameter status: nil is the kind's own: ``Kind/status``.
    public init(
        _ kind: Kind, status: Status? = nil, detail: String, httpStatus: Int? = nil, refusal: ServerRefusal? = nil
    ) {
        self.kind = kind
        self.status = status ?? kind.status
        self.detail = detail
        self.httpStatus = httpStatus
        outcomeIsUnknown = kind == .outcomeUnknown
        self.refusal = refusal
    }
}

extension MPinError {
    /// The same error with more to say.
    func adding(_ remark: String) -> MPinError {
        var error = self
        error.detail += remark
        return error
    }

    /// The same failure of a call that may have done what it was for.
    func withUnknownOutcome(_ remark: String = "; whether the login happened is unknown") -> MPinError {
        var error = adding(remark)
        error.outcomeIsUnknown = true
        if !kind.refusesIdentity { error.kind = .outcomeUnknown }
        return error
    }

    /// The same failure of a registration that leads nowhere any more. A host that is not trusted, and the loss of the
    /// identity, have to be told all the same.
    var afterRegistrationWasUsedUp: MPinError {
        var error = adding("; the server has no such registration any more: restart it")
        if case .untrustedHost = kind { return error }
        if !kind.refusesIdentity { error.kind = .registrationGone }
        return error
    }
}

extension MPinError: CustomStringConvertible {
    public var description: String { "\(status.name): \(detail)" }
}
