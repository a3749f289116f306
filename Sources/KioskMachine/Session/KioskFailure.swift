// SPDX-License-Identifier: Apache-2.0

/// Why a step did not do what it was asked, as far as a person has to be told different things.
public struct KioskFailure: Error, Hashable, Sendable {
    public enum Reason: String, Sendable, CaseIterable {
        /// A host that is not on the trust list would have had to be asked.
        case untrusted
        /// A host that is trusted, but not for the service that named it, would have had to be asked.
        case anotherService
        /// A server's key is none of those that the trust list has for its host.
        case serverKeyRefused
        case versionRefused
        case appRefused
        /// A reply is not what the protocol says.
        case badReply
        case serverFailed
        case unreachable
        /// It answers that too much is asked of it.
        case busy
        case notAuthorized
        case notVerified
        case registrationExpired
        case revoked
        case wrongPIN
        case blocked
        /// The access code is unknown to the server, or too old.
        case sessionExpired
        /// The browser, or the second half of a registration, was too late.
        case requestExpired
        case secretExpired
        case storage
        /// The device has no room to save anything; nothing was asked for.
        case storageFull
        /// Another kiosk has changed the identity meanwhile; nothing was changed here.
        case changedElsewhere
        /// The backend knows no such errand.
        case notOffered
        /// The backend knows the errand, and not for this device.
        case notAllowed
        /// The door was opened too often just now.
        case tooOften
        /// The person is logged in, and the door did not open.
        case doorFailed
        /// The person is logged in, and it is not known whether the door opened.
        case doorUnknown
        /// The service's hash is not the one of the document that was shown.
        case documentDiffers
        /// The service does not take the signature; the status says why.
        case signatureRefused
        /// The personal card is for another backend.
        case cardElsewhere
        /// A personal card has no room on the screen.
        case screenTooSmall
        /// Pass 2 was sent and no answer came.
        case outcomeUnknown
        case other
    }

    public let reason: Reason
    /// The SDK's name of it, such as `HTTP_SERVER_ERROR`, for texts that quote it.
    public let status: String
    /// Whether a login was tried with the access code.
    public let passTwoWasSent: Bool
    /// Whether a server that refused the identity may end it with that: over plain http only a verdict does.
    public let isFinal: Bool

    /// Whether a host would have had to be asked that may not be.
    var isAboutTrust: Bool { reason == .untrusted || reason == .anotherService || reason == .serverKeyRefused }

    public init(_ reason: Reason, status: String, passTwoWasSent: Bool = false, isFinal: Bool = true) {
        self.reason = reason
        self.status = status
        self.passTwoWasSent = passTwoWasSent
        self.isFinal = isFinal
    }
}

extension KioskFailure {
    /// How far a session or a command had come.
    public enum Stage: Sendable, CaseIterable {
        /// Nothing is known but the service's address.
        case readingService
        /// The service said where its backend is.
        case connecting
        case registering
        case authenticating

        /// The end for what has no name of its own.
        fileprivate var failed: SessionOutcome {
            switch self {
            case .readingService: .serviceUnavailable
            case .connecting, .authenticating: .failed
            case .registering: .registrationFailed
            }
        }
    }

    /// How a session ends with this failure: the one table, for the kiosk and for commands. Words and exit codes follow
    /// from the outcome.
    public func outcome(at stage: Stage) -> SessionOutcome {
        switch (reason, stage) {
        // A service that does not answer, or makes no sense, is told from its backend.
        case (.unreachable, .readingService): .serviceUnavailable
        case (.badReply, .readingService): .invalidConfiguration
        // What these say is about a registration.
        case (.notVerified, .registering): .notVerified
        case (.registrationExpired, .registering), (.requestExpired, .registering): .registrationExpired
        // What these say is about a login, and a registration is none.
        case (.requestExpired, .authenticating): .browserTimedOut
        case (.wrongPIN, .registering), (.blocked, .registering), (.revoked, .registering),
            (.secretExpired, .registering), (.sessionExpired, .registering), (.outcomeUnknown, .registering):
            stage.failed
        case (.badReply, _), (.serverFailed, _), (.notVerified, _), (.registrationExpired, _), (.requestExpired, _),
            (.other, _):
            stage.failed
        case (.untrusted, _): .untrusted
        case (.anotherService, _): .anotherService
        case (.serverKeyRefused, _): .serverKeyRefused
        case (.versionRefused, _): .versionRefused
        case (.appRefused, _): .appRefused
        case (.unreachable, _), (.busy, _): .unreachable
        case (.notAuthorized, _): .notAuthorized
        case (.revoked, _): .revoked
        case (.wrongPIN, _): .wrongPIN
        case (.blocked, _): .blocked
        case (.sessionExpired, _): .sessionExpired
        case (.secretExpired, _): .secretExpired
        case (.storage, _), (.storageFull, _), (.changedElsewhere, _): .storageFailed
        case (.outcomeUnknown, _): .outcomeUnknown
        case (.notOffered, _), (.screenTooSmall, _): .notOffered
        case (.notAllowed, _): .notAllowed
        case (.tooOften, _): .tooOften
        case (.doorFailed, _): .doorFailed
        case (.doorUnknown, _): .doorUnknown
        case (.documentDiffers, _): .documentRefused
        case (.signatureRefused, _): .signatureRefused
        case (.cardElsewhere, _): .unknownUser
        }
    }
}
