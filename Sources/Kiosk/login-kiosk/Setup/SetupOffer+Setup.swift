// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine
import LoginValues
import Provisioning
import Signage

extension SetupOffer {
    /// Lists everything that a setup changes, for the person to agree to.
    ///
    /// - Throws: ``SetupRefusal/damaged`` for settings or a trust list that would be refused as a file.
    init(_ setup: Setup, by operatorKey: OperatorPublicKey) throws(SetupRefusal) {
        guard let settings = SettingsText(setup.settings),
            let services = try? SetupDirectory.services(of: setup) ?? []
        else { throw .damaged }
        let language = settings.entries.last { $0.name == "screen.language" }?.value
        self.init(
            operatorName: setup.operatorName, operatorKey: operatorKey.number.description,
            language: language.map { Languages.name(of: $0) ?? $0 },
            services: services.map { "\($0.withoutPins)" },
            settings: settings.entries.filter { $0.name != "screen.language" }.map { "\($0.name): \($0.value)" },
            bringsFleetKey: setup.fleetKey != nil)
    }
}

extension TrustLine {
    /// The line without pins, which people cannot compare.
    fileprivate var withoutPins: TrustLine { TrustLine(entry, targets: targets) }
}

extension SetupRefusal {
    init(_ error: SetupError) {
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
