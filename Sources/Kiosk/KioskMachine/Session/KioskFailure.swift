// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Why a step did not do what it was asked, as far as a person has to be told different things.
public struct KioskFailure: Error, Hashable, Sendable {
    /// How a session ends with it, where the person may not try again; `failed` where nothing more is known.
    public let outcome: SessionOutcome
    /// The sentence that says more to a person than that of the outcome; nil where there is none.
    public let sentence: PromptKey?
    /// The SDK's name of it, such as `HTTP_SERVER_ERROR`, for texts that quote it.
    public let status: String
    /// Whether a login was tried with the access code.
    public let passTwoWasSent: Bool
    /// Whether a server that refused the identity may end it with that: over plain http only a verdict does.
    public let isFinal: Bool

    /// Whether a host would have had to be asked that may not be.
    var isAboutTrust: Bool { outcome == .untrusted || outcome == .anotherService || outcome == .serverKeyRefused }

    public init(
        _ outcome: SessionOutcome, _ sentence: PromptKey? = nil, status: String, passTwoWasSent: Bool = false,
        isFinal: Bool = true
    ) {
        self.outcome = outcome
        self.sentence = sentence
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
        public var failed: SessionOutcome {
            switch self {
            case .readingService: .serviceUnavailable
            case .connecting, .authenticating: .failed
            case .registering: .registrationFailed
            }
        }
    }

    /// How a session ends with this failure. Words and exit codes follow from the outcome.
    func outcome(at stage: Stage) -> SessionOutcome { outcome == .failed ? stage.failed : outcome }
}

extension KioskStep {
    /// How far a session has come that takes this step.
    public var stage: KioskFailure.Stage {
        switch self {
        case .readService: .readingService
        case .openBackend: .connecting
        case .startRegistration, .restartRegistration, .renewRegistration, .confirmRegistration, .finishRegistration,
            .startVerification, .finishVerification, .startRegistrationWithCode:
            .registering
        default: .authenticating
        }
    }
}
