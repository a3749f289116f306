// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine
import LoginValues
import Provisioning
import Signage

extension ProfileOffer {
    /// Lists everything that a profile changes, for the person to agree to.
    ///
    /// - Throws: ``ProfileRefusal/damaged`` for settings or a trust list that would be refused as a file.
    init(_ profile: KioskProfile, by operatorKey: OperatorPublicKey) throws(ProfileRefusal) {
        guard let settings = SettingsText(profile.settings),
            let services = try? ProfileDirectory.services(of: profile) ?? []
        else { throw .damaged }
        let language = settings.entries.last { $0.name == "screen.language" }?.value
        self.init(
            operatorName: profile.operatorName, operatorKey: operatorKey.number.description,
            language: language.map { Languages.name(of: $0) ?? $0 },
            services: services.map { "\($0.withoutPins)" },
            settings: settings.entries.filter { $0.name != "screen.language" }.map { "\($0.name): \($0.value)" },
            bringsFleetKey: profile.fleetKey != nil)
    }
}

extension TrustLine {
    /// The line without pins, which people cannot compare.
    fileprivate var withoutPins: TrustLine { TrustLine(entry, targets: targets) }
}

extension ProfileRefusal {
    init(_ error: ProfileError) {
        self =
            switch error {
            case .newerVersion: .newerVersion
            case .damaged, .tooLong, .secretForAll: .damaged
            case .otherOperator: .otherOperator
            case .otherKiosk: .otherKiosk
            case .expired, .notNewer: .tooOld
            case .tooNew: .tooNew
            case .cryptography: .failed
            }
    }
}
