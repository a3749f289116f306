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
        /// The backend knows no such errand.
        case notOffered
        /// The backend knows the errand, and not for this device.
        case notAllowed
        /// The door was opened too often just now.
        case tooOften
        /// The person is logged in, and the door did not open.
        case doorFailed
        /// The person is logged in, and nobody knows whether the door opened.
        case doorUnknown
        /// The service's hash is not the one of the document that was shown.
        case documentDiffers
        /// The service does not take the signature; the status says why.
        case signatureRefused
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
    /// How a session ends that fails before consent.
    ///
    /// - Parameter serviceIsKnown: whether `/service` was read, so that the failure is the backend's.
    public func connectingOutcome(serviceIsKnown: Bool) -> SessionOutcome {
        switch reason {
        case .untrusted: .untrusted
        case .anotherService: .anotherService
        case .serverKeyRefused: .serverKeyRefused
        case .versionRefused: .versionRefused
        case .appRefused: .appRefused
        case .storage, .storageFull: .storageFailed
        case .sessionExpired: .sessionExpired
        case .badReply where !serviceIsKnown: .invalidConfiguration
        case .unreachable where serviceIsKnown, .busy: .unreachable
        case _ where !serviceIsKnown: .serviceUnavailable
        default: .failed
        }
    }

    /// How a run ends that fails while it registers.
    public var registrationOutcome: SessionOutcome {
        switch reason {
        case .untrusted: .untrusted
        case .anotherService: .anotherService
        case .serverKeyRefused: .serverKeyRefused
        case .versionRefused: .versionRefused
        case .appRefused: .appRefused
        case .unreachable, .busy: .unreachable
        case .notAuthorized: .notAuthorized
        case .notVerified: .notVerified
        case .registrationExpired, .requestExpired: .registrationExpired
        case .storage, .storageFull: .storageFailed
        default: .registrationFailed
        }
    }

    /// How a session ends that fails while it logs in.
    public var loginOutcome: SessionOutcome {
        switch reason {
        case .wrongPIN: .wrongPIN
        case .blocked: .blocked
        case .revoked: .revoked
        case .sessionExpired: .sessionExpired
        case .requestExpired: .browserTimedOut
        case .secretExpired: .secretExpired
        case .notAuthorized: .notAuthorized
        case .unreachable, .busy: .unreachable
        case .outcomeUnknown: .outcomeUnknown
        case .storage, .storageFull: .storageFailed
        case .untrusted: .untrusted
        case .anotherService: .anotherService
        case .serverKeyRefused: .serverKeyRefused
        case .versionRefused: .versionRefused
        case .appRefused: .appRefused
        case .documentDiffers: .documentRefused
        case .signatureRefused: .signatureRefused
        case .notOffered: .notOffered
        case .notAllowed: .notAllowed
        case .tooOften: .tooOften
        case .doorFailed: .doorFailed
        case .doorUnknown: .doorUnknown
        case .badReply, .serverFailed, .notVerified, .registrationExpired, .other: .failed
        }
    }
}
