// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The part of a profile that the person at the kiosk has to agree to. Only the interpreter holds the profile itself.
public struct ProfileOffer: Hashable, Sendable {
    public let operatorName: String
    /// The number of the key that signed it, to compare with the operator's.
    public let operatorKey: String
    /// The language in its own words; nil keeps it.
    public let language: String?
    /// The services for logins from then on.
    public let services: [String]
    /// Every other setting, with its value.
    public let settings: [String]
    /// Whether personal cards of the operator's other kiosks work here from then on.
    public let bringsFleetKey: Bool

    public init(
        operatorName: String, operatorKey: String, language: String? = nil, services: [String] = [],
        settings: [String] = [], bringsFleetKey: Bool = false
    ) {
        self.operatorName = operatorName
        self.operatorKey = operatorKey
        self.language = language
        self.services = services
        self.settings = settings
        self.bringsFleetKey = bringsFleetKey
    }
}

/// The reason why a profile changes nothing. Safe to count and to log.
public enum ProfileRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// It is for another kiosk.
    case otherKiosk
    /// A later one is already installed, or it has expired.
    case tooOld
    /// Its date is ahead of this kiosk's clock.
    case tooNew
    /// This kiosk's operator did not sign it.
    case otherOperator
    /// A newer version of this program wrote it.
    case newerVersion
    case damaged
    /// The disk is full.
    case noRoom
    /// The profile could not be installed for another reason, which is logged.
    case failed
    /// The kiosk is set up, and takes no profile from its camera.
    case notWanted
}

/// The action that activates an installed profile.
public enum ProfileEffect: Hashable, Sendable {
    /// The running kiosk takes the settings.
    case adopted
    /// The kiosk has to restart.
    case restart
}

extension ProfileRefusal {
    var promptKey: PromptKey {
        switch self {
        case .otherKiosk: .profileOtherKiosk
        case .tooOld: .profileTooOld
        case .tooNew: .profileTooNew
        case .otherOperator: .profileOtherOperator
        case .newerVersion: .profileNewer
        case .damaged: .profileDamaged
        case .noRoom: .profileNoRoom
        case .failed: .profileFailed
        case .notWanted: .profileNotWanted
        }
    }
}
