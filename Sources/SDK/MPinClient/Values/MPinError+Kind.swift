// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension MPinError {
    /// The failure, as far as a caller or a person has to act differently.
    ///
    /// One table for all dialects maps each reply to a kind (`RefusalTable`).
    public enum Kind: Sendable, Hashable {
        // MARK: The server's verdict on a person

        /// The PIN was wrong, and the person may try again. The server counts wrong PINs, but no server reports the
        /// number of tries left.
        case wrongPIN
        /// One wrong PIN too many, or the server refuses the identity for good after its PIN. The identity is
        /// ``UserState/blocked``, its token sealed: ``MPin/reconsider(_:)`` or a new registration helps.
        case blocked
        /// The server refuses the identity for good. It is ``UserState/blocked`` if ``MPinError/isFinalRefusal``.
        case revoked
        /// This person has no permission for this there.
        case notAuthorized
        /// This person has the permission, but not on this device.
        case notAllowed
        /// The secret is too old: only a new registration helps.
        case secretExpired

        // MARK: Sessions and codes

        /// The access code is unknown to the server, used, too old, or for something else.
        case sessionExpired
        /// The last digit of an access number is wrong. No request was made.
        case accessCodeMistyped
        /// The browser did not follow in time.
        case browserTimedOut

        // MARK: Registration

        /// The person has not opened the activation mail yet: ask again later.
        case notVerified
        /// The server has no such registration, or has used it up: only a restart helps.
        case registrationGone
        /// The server refuses an activation token, a verification code or a registration code for this person: it is
        /// wrong, used or too old.
        case codeRefused
        /// The server refuses to send this person a verification mail.
        case verificationRefused
        /// The server sends no further mail yet.
        ///
        /// - Parameter until: the time from which it does, in seconds since 1970-01-01 UTC; nil when it did not say.
        case mailTooSoon(until: Int64?)

        // MARK: Servers and the way to them

        /// The trust policy refuses a host, or the server's key. No request was made.
        case untrustedHost(TrustPolicy.Refusal)
        /// This client or company may not use the service.
        case clientRefused
        /// This client is too old for the service.
        case clientTooOld
        /// No complete reply, also because the calling task was cancelled; or a redirect.
        case network
        /// The server is too busy, for longer than a call waits.
        case busy
        /// The server failed.
        case serverFailed
        /// The server refuses, and its reply has no special meaning for such a request.
        case requestRefused
        /// The reply violates the protocol, or contradicts an earlier one or the configuration.
        case badReply
        /// The login, or the signature, may have taken effect: tell the person, and do not retry by yourself.
        case outcomeUnknown

        // MARK: This side

        /// The store refused; nil when its content cannot be read.
        case storage(IdentityStorageError.Code?)
        /// No PIN was given. No request was made.
        case noPIN
        /// The PIN must have this many digits. No request was made, and the server counts nothing.
        case pinLength(Int)
        /// The new PIN is the old one, or the same number with leading zeros. No request was made.
        case samePIN
        /// A PIN that would leave the secret unprotected.
        case unusablePIN
        /// The identity's dialect does not have that, or the backend does not offer it.
        case notOffered
        /// The call does not fit the state, or an argument makes no sense. No request was made.
        case misuse
        /// The computation is impossible: no randomness, or a sum at infinity.
        case cryptography
    }
}

extension MPinError.Kind {
    /// The number of the older SDKs, for requests without a special one.
    public var status: Status {
        switch self {
        case .wrongPIN, .blocked: .incorrectPIN
        case .revoked: .revoked
        case .notAuthorized: .identityNotAuthorized
        case .notAllowed: .operationNotAllowed
        case .secretExpired: .clientSecretExpired
        case .sessionExpired, .accessCodeMistyped: .incorrectAccessNumber
        case .browserTimedOut: .requestExpired
        case .notVerified, .codeRefused: .identityNotVerified
        case .registrationGone: .registrationExpired
        case .verificationRefused, .mailTooSoon: .verificationFailed
        case .untrustedHost: .untrustedDomainError
        case .clientRefused: .badUserAgent
        case .clientTooOld: .badClientVersion
        case .network, .outcomeUnknown: .networkError
        case .busy, .serverFailed: .httpServerError
        case .requestRefused: .httpRequestError
        case .badReply: .responseParseError
        case .storage: .storageError
        case .noPIN: .pinInputCanceled
        case .unusablePIN, .cryptography: .cryptoError
        case .pinLength, .samePIN, .notOffered, .misuse: .flowError
        }
    }

    /// Whether the identity is lost, provided that the sender of the reply is known.
    var refusesIdentity: Bool { self == .blocked || self == .revoked }
}
