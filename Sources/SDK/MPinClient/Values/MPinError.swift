// SPDX-License-Identifier: Apache-2.0

/// The reason why a call of the SDK failed.
public struct MPinError: Error, Sendable, Equatable {
    /// The kind of failure, by which a caller decides.
    public internal(set) var kind: Kind
    /// The number of the older SDKs, for callers written for them; never ``Status/ok``. It names the cause, while the
    /// kind names the consequence: a login of unknown outcome without a reply is ``Status/networkError``.
    public internal(set) var status: Status
    /// Text for the log: the failure, its place and the remedy. It names hosts and requests, never a secret. Of a
    /// reply it quotes only an application server's reason for refusing a login, cleaned and cut.
    public internal(set) var detail: String
    /// The status code of the reply, if it decided; for the log.
    public internal(set) var httpStatus: Int?
    /// Whether the login may have happened: pass 2 or the `authenticate` request was sent, and no intelligible answer
    /// came back. Do not retry by yourself then. The kind is ``Kind/outcomeUnknown``, unless the identity was lost too.
    public internal(set) var outcomeIsUnknown: Bool
    /// Whether the identity is ``UserState/blocked`` now: the server has counted one wrong PIN too many, or refuses
    /// the identity for good. Over plain http only the verdict of a login can set this.
    public internal(set) var isFinalRefusal = false
    /// The server's own reason, if it sent a known one. Later dialects do.
    public internal(set) var refusal: ServerRefusal?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - kind: ``Kind/outcomeUnknown`` sets ``outcomeIsUnknown``, too.
    ///   - status: nil, the default, takes ``Kind/status``.
    ///   - detail: the failure, its place and the remedy for the log, never a secret.
    ///   - httpStatus: the status code of the reply that decided; nil, the default, if none did.
    ///   - refusal: the server's own reason; nil, the default, if it gave none.
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
    /// The same error with a remark added.
    func adding(_ remark: String) -> MPinError {
        var error = self
        error.detail += remark
        return error
    }

    /// The same failure of a call that may have succeeded.
    func withUnknownOutcome(_ remark: String = "; whether the login happened is unknown") -> MPinError {
        var error = adding(remark)
        error.outcomeIsUnknown = true
        if !kind.refusesIdentity { error.kind = .outcomeUnknown }
        return error
    }

    /// The same failure after the registration was used up, so that only a restart helps. An untrusted host and the
    /// loss of the identity are still reported as such.
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
