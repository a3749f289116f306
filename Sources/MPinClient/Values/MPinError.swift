// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Why a call of the SDK did not do what it was asked.
public struct MPinError: Error, Sendable, Equatable {
    /// Never ``Status/ok``.
    public internal(set) var status: Status
    /// What, where, what to do; for the log. Names hosts and requests, never a secret, and of a reply's content only why an
    /// application's own server refused a login, cleaned and cut.
    public internal(set) var detail: String
    /// The reply's status code when one decided.
    public internal(set) var httpStatus: Int?
    /// Whether the login may have happened all the same: pass 2 or the final call was sent and no answer, or none that
    /// can be understood, came back. Nothing may be retried blindly then.
    public internal(set) var outcomeIsUnknown: Bool
    /// Whether waiting does not help any more: the server has no such registration, or has used it up. Restarting the
    /// registration does.
    public internal(set) var registrationIsGone: Bool
    /// Whether the server has counted one wrong PIN too many, or refuses the identity for good: its token is gone then. Over
    /// plain http only the verdict of a login says so.
    public internal(set) var isFinalRefusal = false
    /// Why the trust policy refused, with ``Status/untrustedDomainError``.
    public internal(set) var trustRefusal: TrustPolicy.Refusal?
    /// Why the store failed, with ``Status/storageError``; nil when what it holds cannot be read.
    public internal(set) var storageFailure: IdentityStorageError.Code?
    /// What the server said, where it said something that is known. Later dialects do.
    public internal(set) var refusal: ServerRefusal?

    public init(
        status: Status, detail: String, httpStatus: Int? = nil, outcomeIsUnknown: Bool = false,
        registrationIsGone: Bool = false, trustRefusal: TrustPolicy.Refusal? = nil,
        storageFailure: IdentityStorageError.Code? = nil, refusal: ServerRefusal? = nil
    ) {
        self.status = status
        self.detail = detail
        self.httpStatus = httpStatus
        self.outcomeIsUnknown = outcomeIsUnknown
        self.registrationIsGone = registrationIsGone
        self.trustRefusal = trustRefusal
        self.storageFailure = storageFailure
        self.refusal = refusal
    }
}

extension MPinError {
    /// The same error with more to say, and with what follows from it.
    func adding(_ hint: String, outcomeIsUnknown: Bool = false, registrationIsGone: Bool = false) -> MPinError {
        var error = self
        error.detail += hint
        if outcomeIsUnknown { error.outcomeIsUnknown = true }
        if registrationIsGone { error.registrationIsGone = true }
        return error
    }

    var withUnknownOutcome: MPinError {
        adding("; whether the login happened is unknown", outcomeIsUnknown: true)
    }
}

extension MPinError: CustomStringConvertible {
    public var description: String { "\(status.name): \(detail)" }
}
