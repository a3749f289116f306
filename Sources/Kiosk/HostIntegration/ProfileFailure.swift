// SPDX-License-Identifier: Apache-2.0

import Glibc
public import LinuxSystem
public import Provisioning

/// The reason why a profile cannot be installed. The current one was not changed.
public enum ProfileFailure: Error, Sendable, Equatable, CustomStringConvertible {
    case profile(ProfileError)
    case key(ProvisioningError)
    case file(FileFault)
    /// The profile's settings are invalid.
    case settings(ConfigurationProblem)
    case trust(TrustFileError)

    public var description: String {
        switch self {
        case .profile(let error): error.sentence
        case .key(let error): "\(error)"
        case .file(let fault): "the profile \(fault)"
        case .settings(let problem): "the profile's \(problem)"
        case .trust(let error): "the profile's \(error)"
        }
    }

    /// The remedy for the operator.
    public var hint: String {
        switch self {
        case .profile(let error): error.hint
        case .key(let error): error.hint
        case .file(let fault): fault.hint
        case .settings: "correct the settings and make the profile again"
        case .trust(let error): error.hint
        }
    }

    /// The fault of a file or a key's file.
    public var fault: FileFault? {
        switch self {
        case .file(let fault), .key(.file(let fault)): fault
        case .profile, .key, .settings, .trust: nil
        }
    }

    /// Whether the disk is full.
    public var isFullDisk: Bool { fault.map { [.refused(ENOSPC), .refused(EDQUOT)].contains($0.cause) } ?? false }
}

extension ProfileError {
    /// The fault, in words for an operator.
    public var sentence: String {
        switch self {
        case .newerVersion: "a later version of this program wrote this profile"
        case .damaged: "this is not a complete profile: it is cut off, or not what its operator signed"
        case .otherOperator: "this profile is not signed by this kiosk's operator"
        case .otherKiosk: "this profile is for another kiosk"
        case .expired: "the time of this profile is over"
        case .notNewer: "the kiosk already uses this profile or a later one"
        case .tooNew: "this profile's date is too far ahead of this kiosk's clock"
        case .tooLong: "this is too much for a profile"
        case .secretForAll: "a profile with the fleet's key is for one kiosk"
        case .cryptography: "the system's cryptography failed"
        }
    }

    public var hint: String {
        switch self {
        case .newerVersion: "update login-kiosk here first"
        case .damaged: "have it written again"
        case .otherOperator: "ask the operator of this kiosk for one; a kiosk changes hands by login-kiosk reset"
        case .otherKiosk: "see what this kiosk is called: login-kiosk fleet number"
        case .expired, .notNewer: "have a new one made: login-kiosk fleet card"
        case .tooNew: "set the clock of the machine that made it, or this one's, and have a new one made"
        case .tooLong:
            "a name has at most \(KioskProfile.maximumNameLength) bytes, a card \(SealedProfile.maximumCodeLength), "
                + "a file \(SealedProfile.maximumLength)"
        case .secretForAll: "name the kiosk: --kiosk KEY"
        case .cryptography: "try again; see whether the machine has memory left"
        }
    }
}
