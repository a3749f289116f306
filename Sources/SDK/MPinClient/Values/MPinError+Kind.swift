// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension MPinError {
    /// The failure, told apart as far as a caller or a person has to act differently.
    ///
    /// One table for all dialects gives the kind of each reply (`RefusalTable`).
    public enum Kind: Sendable, Hashable {
        // MARK: The server's verdict on a person

        /// The PIN was wrong, and may be asked for again: the server counts, and no server tells how many tries are
        /// left.
        case wrongPIN
        /// That was one wrong PIN too many, or the server refuses the identity for good and says so after its PIN. The
        /// identity is ``UserState/blocked``, its token sealed: ``MPin/reconsider(_:)`` or a new registration helps.
        case blocked
        /// The server refuses the identity for good. It is ``UserState/blocked`` when ``MPinError/isFinalRefusal`` says
        /// so.
        case revoked
        /// This person may not do that there.
        case notAuthorized
        /// This person may, and not on this device.
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
        /// The server does not take an activation token, a verification code or a registration code for this person: it
        /// is wrong, used or too old.
        case codeRefused
        /// The server sends this person no verification mail.
        case verificationRefused
        /// The server sends no other mail yet.
        ///
        /// - Parameter until: when it does, in seconds since 1970-01-01 UTC; nil when it did not say.
        case mailTooSoon(until: Int64?)

        // MARK: Servers and the way to them

        /// The trust policy refuses a host, or the server's key. It was asked nothing.
        case untrustedHost(TrustPolicy.Refusal)
        /// This client or company may not use the service.
        case clientRefused
        /// This client is too old for the service.
        case clientTooOld
        /// No complete reply, also because the calling task was cancelled; or a redirect.
        case network
        /// The server has too much to do, for longer than a call waits.
        case busy
        /// The server could not do it.
        case serverFailed
        /// The server does not do it, and its reply has no meaning of its own for such a request.
        case requestRefused
        /// A reply that is not what the protocol says, or contradicts an earlier one or the configuration.
        case badReply
        /// The login, or the signature, may have counted all the same: tell the person, and retry nothing by yourself.
        case outcomeUnknown

        // MARK: This side

        /// The store refused; nil when what it holds cannot be read.
        case storage(IdentityStorageError.Code?)
        /// No PIN was given. No request was made.
        case noPIN
        /// A PIN of so many digits is wanted. No request was made, and the server counts nothing.
        case pinLength(Int)
        /// The new PIN is the old one, or the same number behind zeros. No request was made.
        case samePIN
        /// A PIN that would leave the secret unprotected.
        case unusablePIN
        /// The identity's dialect does not have that, or the backend gives none.
        case notOffered
        /// The call does not fit the state, or what it was given makes no sense. No request was made.
        case misuse
        /// The mathematics cannot be done with what is here: no randomness, a sum at infinity.
        case cryptography
    }
}

extension MPinError.Kind {
    /// The number of the older SDKs, where the request has none of its own for it.
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

    /// Whether it costs the identity, where the sender of the reply is known.
    var refusesIdentity: Bool { self == .blocked || self == .revoked }
}
