// SPDX-License-Identifier: Apache-2.0

/// How a session ended. Every session has exactly one; the raw values are stable names for scripts and records.
public enum SessionOutcome: String, Sendable, CaseIterable {
    case loggedIn
    /// Only of a run that enrols.
    case enrolled
    /// A one-time password, or a code for another device, was shown.
    case codeIssued
    /// A person logged in at the kiosk itself, and the door opened.
    case doorOpened
    /// A person had his own identity deleted.
    case identityDeleted
    /// A person has another PIN now.
    case pinChanged
    /// The service has a signature and takes it.
    case signed
    /// The person said no, or left.
    case declined
    /// The person walked away.
    case timedOut
    /// The kiosk was told to stop.
    case stopped

    case invalidCode
    case unknownUser
    case untrusted
    /// A trusted host on this machine would have to be reached by http, which is for trials.
    case loopbackHTTP
    /// The service leads to a host that is trusted, but not for this service.
    case anotherService
    /// A server's key is none of those that the trust list has for its host: nothing was sent to it.
    case serverKeyRefused
    case versionRefused
    case appRefused
    case invalidConfiguration
    case serviceUnavailable
    case unreachable

    case notAuthorized
    case notVerified
    case registrationExpired
    case registrationFailed
    case identityExists
    case weakPIN

    case wrongPIN
    case blocked
    case revoked
    case sessionExpired
    case browserTimedOut
    case secretExpired
    case storageFailed
    /// Pass 2 was sent and no answer came: the browser may or may not be logged in.
    case outcomeUnknown
    /// The service's hash is not the one of the document that was shown: nothing was signed.
    case documentRefused
    /// The service does not take the signature.
    case signatureRefused
    /// The backend knows no such errand.
    case notOffered
    /// The backend knows the errand, and not for this device.
    case notAllowed
    /// The door was opened too often just now.
    case tooOften
    /// A person logged in at the kiosk itself, and the door did not open.
    case doorFailed
    /// A person logged in at the kiosk itself, and it is not known whether the door opened.
    case doorUnknown
    case failed

    /// Whether the person got what the session was for.
    public var isSuccess: Bool {
        switch self {
        case .loggedIn, .enrolled, .codeIssued, .signed, .doorOpened, .identityDeleted, .pinChanged: true
        case .declined, .timedOut, .stopped, .invalidCode, .unknownUser, .untrusted, .loopbackHTTP, .anotherService,
            .serverKeyRefused, .versionRefused, .appRefused, .invalidConfiguration, .serviceUnavailable, .unreachable,
            .notAuthorized, .notVerified, .registrationExpired, .registrationFailed, .identityExists, .weakPIN,
            .wrongPIN, .blocked, .revoked, .sessionExpired, .browserTimedOut, .secretExpired, .storageFailed,
            .outcomeUnknown, .documentRefused, .signatureRefused, .notOffered, .notAllowed, .tooOften, .doorFailed,
            .doorUnknown, .failed:
            false
        }
    }

    /// Whether the server should hear that the code was given up. Not when it knows better, cannot be asked, or may be
    /// logging the browser in this moment.
    public var abandonsCode: Bool {
        switch self {
        case .loggedIn, .enrolled, .codeIssued, .signed, .doorOpened, .tooOften, .doorFailed, .doorUnknown,
            .identityDeleted, .pinChanged, .outcomeUnknown, .sessionExpired, .browserTimedOut, .unreachable,
            .untrusted, .loopbackHTTP, .anotherService, .serverKeyRefused,
            .invalidCode:
            false
        case .declined, .timedOut, .stopped, .unknownUser, .versionRefused, .appRefused, .invalidConfiguration,
            .serviceUnavailable, .notAuthorized, .notVerified, .registrationExpired, .registrationFailed,
            .identityExists, .weakPIN, .wrongPIN, .blocked, .revoked, .secretExpired, .storageFailed, .documentRefused,
            .signatureRefused, .notOffered, .notAllowed, .failed:
            true
        }
    }
}
