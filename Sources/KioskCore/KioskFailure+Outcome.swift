// SPDX-License-Identifier: Apache-2.0

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
