// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The reason why a step or a command failed, as far as it changes the message to the person.
public struct KioskFailure: Error, Hashable, Sendable {
    /// The session's outcome if the person may not try again; `failed` if nothing more is known.
    public let outcome: SessionOutcome
    /// A more precise sentence for the person than that of the outcome; nil when there is none.
    public let sentence: PromptKey?
    /// The SDK's name of the failure, such as `HTTP_SERVER_ERROR`, for texts that quote it; empty if the SDK did not
    /// fail.
    public let status: String
    /// Whether a login was tried with the access code.
    public let passTwoWasSent: Bool
    /// Whether the refusal ends the identity. Over plain http only the verdict on a PIN can end it.
    public let isFinal: Bool
    public let detail: Detail?

    /// Whether the failure concerns a host that requests may not go to.
    var isAboutTrust: Bool { outcome == .untrusted || outcome == .anotherService || outcome == .serverKeyRefused }

    public init(
        _ outcome: SessionOutcome, _ sentence: PromptKey? = nil, status: String = "", passTwoWasSent: Bool = false,
        isFinal: Bool = true, detail: Detail? = nil
    ) {
        self.outcome = outcome
        self.sentence = sentence
        self.status = status
        self.passTwoWasSent = passTwoWasSent
        self.isFinal = isFinal
        self.detail = detail
    }
}

extension KioskFailure {
    /// Further facts for operators.
    public enum Detail: Sendable, Hashable {
        /// The backends at which the user has identities.
        case backends([String])
        /// The permitted numbers of the PIN's digits.
        case digits(ClosedRange<Int>)
        /// The time from which another mail is allowed, in seconds since 1970-01-01 UTC.
        case until(Int64)
    }

    /// The progress of a session or a command.
    public enum Stage: Sendable, CaseIterable {
        /// Only the service's address is known.
        case readingService
        /// The service named its backend.
        case connecting
        case registering
        case authenticating

        /// The outcome of failures without one of their own.
        public var failed: SessionOutcome {
            switch self {
            case .readingService: .serviceUnavailable
            case .connecting, .authenticating: .failed
            case .registering: .registrationFailed
            }
        }
    }

    /// The session's outcome after this failure. Words and exit codes follow from it.
    func outcome(at stage: Stage) -> SessionOutcome { outcome == .failed ? stage.failed : outcome }
}

extension KioskStep {
    /// The progress of a session that takes this step.
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
