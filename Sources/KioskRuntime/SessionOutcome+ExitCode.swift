// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

extension SessionOutcome {
    /// For scripts: sysexits(3) where it has a fitting code, 80 and up for ends that only a login knows.
    public var exitCode: Int32 {
        switch self {
        case .loggedIn, .enrolled, .codeIssued, .signed, .doorOpened, .identityDeleted, .pinChanged: 0
        case .invalidCode: 65  // EX_DATAERR
        case .unknownUser: 67  // EX_NOUSER
        case .serviceUnavailable, .unreachable, .notOffered: 69  // EX_UNAVAILABLE
        case .failed, .registrationFailed, .doorFailed: 70  // EX_SOFTWARE
        case .identityExists: 73  // EX_CANTCREAT
        case .storageFailed: 74  // EX_IOERR
        case .timedOut, .stopped, .tooOften: 75  // EX_TEMPFAIL
        case .invalidConfiguration: 76  // EX_PROTOCOL
        case .notAuthorized, .versionRefused, .appRefused, .notAllowed: 77  // EX_NOPERM
        case .untrusted, .loopbackHTTP: 78  // EX_CONFIG
        case .wrongPIN: 80
        case .blocked: 81
        case .revoked: 82
        case .sessionExpired: 83
        case .declined: 84
        case .outcomeUnknown, .doorUnknown: 85
        case .browserTimedOut: 86
        case .secretExpired: 87
        case .notVerified: 88
        case .registrationExpired: 89
        case .weakPIN: 90
        case .documentRefused: 91
        case .signatureRefused: 92
        case .anotherService: 93
        case .serverKeyRefused: 94
        }
    }
}
