// SPDX-License-Identifier: Apache-2.0

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
        case (.storage, _), (.storageFull, _): .storageFailed
        case (.outcomeUnknown, _): .outcomeUnknown
        case (.notOffered, _): .notOffered
        case (.notAllowed, _): .notAllowed
        case (.tooOften, _): .tooOften
        case (.doorFailed, _): .doorFailed
        case (.doorUnknown, _): .doorUnknown
        case (.documentDiffers, _): .documentRefused
        case (.signatureRefused, _): .signatureRefused
        }
    }

    func connectingOutcome(serviceIsKnown: Bool) -> SessionOutcome {
        outcome(at: serviceIsKnown ? .connecting : .readingService)
    }

    var registrationOutcome: SessionOutcome { outcome(at: .registering) }

    var loginOutcome: SessionOutcome { outcome(at: .authenticating) }
}
