// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The contents of a setup, as far as the person at the kiosk has to agree to them. The setup itself stays with the
/// interpreter.
public struct SetupOffer: Hashable, Sendable {
    public let operatorName: String
    /// The number of the key that signed it, for the person to compare with the operator's.
    public let operatorKey: String
    /// The language in its own words; nil keeps it.
    public let language: String?
    /// The services that people can log in to from then on.
    public let services: [String]
    /// Every other setting, with its value.
    public let settings: [String]
    /// Whether personal cards of the operator's other kiosks open here from then on.
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

/// Why a setup changes nothing. Safe to count and to log.
public enum SetupRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// It was made for another kiosk.
    case otherKiosk
    /// One that was made later counts already, or its time is over.
    case tooOld
    /// It is dated ahead of this kiosk's clock.
    case tooNew
    /// This kiosk's operator did not sign it.
    case otherOperator
    /// A newer version of this program wrote it.
    case newerVersion
    case damaged
    /// The disk is full.
    case noRoom
    /// It could not be put in place for another reason, which the log has.
    case failed
    /// The kiosk is set up, and takes no setup from its camera.
    case notWanted
}

/// The change that lets a setup count once it is in place.
public enum SetupEffect: Hashable, Sendable {
    /// The running kiosk takes the settings.
    case adopted
    /// The kiosk has to start anew.
    case restart
}

extension SetupRefusal {
    var promptKey: PromptKey {
        switch self {
        case .otherKiosk: .setupOtherKiosk
        case .tooOld: .setupTooOld
        case .tooNew: .setupTooNew
        case .otherOperator: .setupOtherOperator
        case .newerVersion: .setupNewer
        case .damaged: .setupDamaged
        case .noRoom: .setupNoRoom
        case .failed: .setupFailed
        case .notWanted: .setupNotWanted
        }
    }
}
