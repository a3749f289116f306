// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine
import LoginValues
import Provisioning

extension SetupOffer {
    /// What a setup asks the person to agree to: everything that it changes.
    ///
    /// - Throws: ``SetupRefusal/damaged`` for settings or a trust list that would be refused as a file.
    init(_ setup: Setup, by operatorKey: OperatorPublicKey) throws(SetupRefusal) {
        guard let settings = SettingsText(setup.settings) else { throw .damaged }
        // In their own words, as a person looks for hers.
        let names = ["en": "English", "de": "Deutsch", "fr": "Français", "es": "Español", "bg": "Български"]
        let language = settings.entries.last { $0.name == "screen.language" }?.value
        self.init(
            operatorName: setup.operatorName, operatorKey: operatorKey.number.description,
            language: language.map { names[$0] ?? $0 },
            services: try SetupOffer.services(setup.trust ?? ""),
            settings: settings.entries.filter { $0.name != "screen.language" }.map { "\($0.name): \($0.value)" },
            bringsFleetKey: setup.fleetKey != nil)
    }

    /// The lines of a trust list, without the pins, which no person can compare.
    private static func services(_ list: String) throws(SetupRefusal) -> [String] {
        var services: [String] = []
        for line in list.split(whereSeparator: \.isNewline) {
            let text = line.prefix { $0 != "#" }
            guard text.contains(where: { !$0.isWhitespace }) else { continue }
            guard (try? TrustLine(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))) != nil else {
                throw .damaged
            }
            let words = text.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("pin-sha256:") }
            services.append(words.joined(separator: " "))
        }
        return services
    }
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
            case .cryptography: .failed
            }
    }
}
