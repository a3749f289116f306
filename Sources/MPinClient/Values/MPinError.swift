// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Why a call of the SDK did not do what it was asked.
public struct MPinError: Error, Sendable, Equatable {
    /// Never ``Status/ok``.
    public let status: Status
    /// What, where, what to do; for the log. Names hosts and requests, never a secret, never a reply's content.
    public let detail: String
    /// The reply's status code when one decided.
    public let httpStatus: Int?
    /// Whether the login may have happened all the same: pass 2 or the final call was sent and no answer, or none that
    /// can be understood, came back. Nothing may be retried blindly then.
    public let outcomeIsUnknown: Bool
    /// Whether waiting does not help any more: the server has no such registration, or has used it up. Restarting the
    /// registration does.
    public let registrationIsGone: Bool
    /// Why the trust policy refused, with ``Status/untrustedDomainError``.
    public let trustRefusal: TrustPolicy.Refusal?

    public init(
        status: Status, detail: String, httpStatus: Int? = nil, outcomeIsUnknown: Bool = false,
        registrationIsGone: Bool = false, trustRefusal: TrustPolicy.Refusal? = nil
    ) {
        self.status = status
        self.detail = detail
        self.httpStatus = httpStatus
        self.outcomeIsUnknown = outcomeIsUnknown
        self.registrationIsGone = registrationIsGone
        self.trustRefusal = trustRefusal
    }
}

extension MPinError: CustomStringConvertible {
    public var description: String { "\(status.name): \(detail)" }
}
